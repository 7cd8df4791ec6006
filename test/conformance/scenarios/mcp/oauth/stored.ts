import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { World } from "../../../scenario.ts";

interface Stored {
	readonly namespace: string;
	readonly resource: string;
	readonly client_id: string;
	/** Unix milliseconds. */
	readonly expires_at: number;
	readonly issued_at?: number;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const toCodeKey = (code: string): string => `code:${sha256(code)}`;
export const toTokenKey = (token: string): string => `token:${sha256(token)}`;

/** The value of the key in OAUTH_KV. */
export async function readStored(world: World, key: string): Promise<Stored> {
	const text = await world.target.oauth.get(key);
	assert.ok(text !== null, `nothing is stored under ${key}`);
	return JSON.parse(text) as Stored;
}

interface Mark {
	/** Unix seconds. */
	readonly created_at: number;
	readonly content: string;
}

/** The store's entries for used codes, or for attempts at the owner secret. */
export async function listMarks(
	world: World,
	entry_type: "oauth_code" | "oauth_attempt",
): Promise<readonly Mark[]> {
	const query = { owner_id: "_system", entry_type, limit: 1000 };
	const { status, body } = await world.call("GET", "/entries", { query });
	assert.equal(status, 200);
	return (body as { entries: Mark[] }).entries;
}
