import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import type { Target } from "../conformance/platforms.ts";
import { sha256 } from "./mcp-login.ts";

export const INTERNAL = "internal-token-of-the-tests";

/** Creates a partner key for a namespace, in multi-tenant mode. */
export async function createPartnerKey(target: Target, namespace: string): Promise<string> {
	const made = await postToStore(target, "/partner-keys", { namespace });
	return CreatedPartnerKey.parse(await made.json()).key;
}

/** Writes a turn of a conversation as if an agent had had it. */
export async function putTurn(
	target: Target,
	turn: { readonly owner_id: string; readonly workflow: string; readonly key: string; readonly text: string },
): Promise<void> {
	const { text, ...name } = turn;
	const { status } = await postToStore(target, "/conversations/turns", {
		...{ ...name, id: randomUUID(), execution_id: randomUUID() },
		messages_json: JSON.stringify([{ role: "user", content: text }]),
	});
	assert.equal(status, 200);
}

const postToStore = (target: Target, path: string, body: object): Promise<Response> =>
	fetch(target.storeUrl + path, {
		method: "POST",
		headers: { authorization: `Bearer ${INTERNAL}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});

/** Stores an access token's record in OAUTH_KV as if it had been issued. */
export async function putToken(
	target: Target,
	fields: { readonly namespace: string } & Readonly<Record<string, unknown>>,
): Promise<string> {
	const token = `tlo_${randomBytes(32).toString("base64url")}`;
	const record = {
		resource: `${target.publicUrl}/mcp`,
		client_id: "a-client",
		client_name: null,
		issued_at: Date.now(),
		expires_at: Date.now() + 3_600_000,
		...fields,
	};
	await target.oauth.put(`token:${sha256(token)}`, JSON.stringify(record));
	return token;
}
