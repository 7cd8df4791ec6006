import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { SIGNATURE_SCHEMES } from "@tripline/contract/calling/words";
import { WrittenCredential } from "@tripline/contract/credentials";
import { CreatedWebhook } from "@tripline/contract/executor";
import type { SignatureScheme } from "@tripline/contract/webhook-trigger";
import { RunResult } from "@tripline/contract/workflows";
import {
	describeSignature,
	type Sent,
	signCall,
	TOKEN_SCHEMES,
	toStoredSecret,
	WINDOW_SECONDS,
} from "../../../webhook-senders.ts";
import type { Scenario, World } from "../../scenario.ts";
import { onOwnService } from "./own-service.ts";
import { echo, getNamedPath, listRecords, listStored, save, trigger, waitForRecords } from "./saving.ts";

const NOW = Date.UTC(2026, 10, 9, 12);
const SECRET = "s3cr3t-of-the-sender";
/** Parsing and serializing it again would change its bytes. */
const RAW = '{ "total" : 1.50,\n"品": "茶" }';

const hmac = (secret: string | Buffer, text: string) => createHmac("sha256", secret).update(text);

/** The headers of a call that GitHub signs. */
const signLikeGitHub = (secret: string, body: string) => ({
	"x-hub-signature-256": `sha256=${hmac(secret, body).digest("hex")}`,
});

const putSecret = (world: World, secret: string, status = 201) =>
	world.executor.expect(status, WrittenCredential, "PUT", "/credentials/signer", {
		body: { auth_recipe: "signing_secret", fields: { secret } },
	});

const createSigned = (scheme: SignatureScheme) =>
	echo(scheme, { options: { signature: { ...describeSignature(scheme), credential: "signer" } } });

async function assertRefused(world: World, name: string, headers: Record<string, string>) {
	const call = { raw: RAW, headers };
	return assertNotSigned(await world.executor.refuse(401, "POST", getNamedPath(name, "trigger"), call));
}

function assertNotSigned({ error }: { readonly error: string }): string {
	assert.match(error, /^not signed: /);
	assert.ok(!error.includes(SECRET));
	return error;
}

const toCall = ({ url, body, headers }: Sent) => ({
	raw: body,
	headers,
	query: Object.fromEntries(new URL(url).searchParams),
});

const eachScheme = SIGNATURE_SCHEMES.map(
	(scheme): Scenario => ({
		name: `a workflow with the signature scheme ${scheme} runs only for signed calls`,
		cites: [],
		async run(world) {
			await world.target.setNow(NOW);
			await putSecret(world, toStoredSecret(scheme, SECRET));
			const { webhook_url: url } = await save(world, createSigned(scheme));
			const path = new URL(url).pathname;
			const at = NOW / 1000;
			const sign = (seconds = at, secret = SECRET, body = RAW) =>
				signCall(scheme, { secret, url, body, seconds: String(seconds) });
			const refuse = async (sent: Sent) =>
				assertNotSigned(await world.anyone.refuse(401, "POST", path, toCall(sent)));
			const signed = sign();
			await refuse({ ...signed, headers: {} });
			await refuse(sign(at, "another secret"));
			if (!TOKEN_SCHEMES.includes(scheme)) {
				await refuse({ ...signed, body: `${signed.body} ` });
				await refuse({ ...sign(at, SECRET, JSON.stringify(JSON.parse(RAW))), body: signed.body });
			}
			const window = WINDOW_SECONDS[scheme];
			if (window !== undefined) {
				for (const seconds of [-window - 1, window + 1])
					assert.match(await refuse(sign(at + seconds)), /the timestamp is more than/);
			}
			const run = async (sent: Sent) => {
				const answer = await world.anyone.call("POST", path, toCall(sent));
				assert.equal(answer.status, 200, JSON.stringify(answer.body));
				return RunResult.parse(answer.body).data;
			};
			assert.deepEqual(await run(signed), { got: JSON.parse(signed.body) });
			for (const seconds of [-59, 59]) await run(sign(at + seconds));
			await waitForRecords(world, scheme, 3);
		},
	}),
);

const signedScenarios: readonly Scenario[] = [
	...eachScheme,
	{
		name: "an invalid signature leaves no run, no record and no idempotency key",
		cites: [],
		async run(world) {
			await putSecret(world, SECRET);
			await save(world, createSigned("github"));
			const key = { "idempotency-key": "k" };
			await assertRefused(world, "github", { ...signLikeGitHub("wrong", RAW), ...key });
			await assertRefused(world, "github", { prefer: "respond-async", ...key });
			assert.deepEqual(await listStored(world, "idempotency"), []);
			assert.deepEqual(await listStored(world, "accepted_run"), []);
			const headers = { ...signLikeGitHub(SECRET, RAW), ...key };
			const answer = await trigger(world, "github", { raw: RAW, headers });
			assert.equal(answer.headers.get("idempotent-replayed"), null);
			await waitForRecords(world, "github", 1);
			assert.equal((await listRecords(world)).length, 1);
		},
	},
	{
		name: "a Standard Webhooks secret after whsec_ is base64, and one of several signatures is enough",
		cites: [],
		async run(world) {
			await world.target.setNow(NOW);
			const bytes = Buffer.from("0123456789abcdef0123456789abcdef");
			await putSecret(world, `whsec_${bytes.toString("base64")}`);
			await save(world, createSigned("standard-webhooks"));
			const at = NOW / 1000;
			const signature = hmac(bytes, `m1.${at}.${RAW}`).digest("base64");
			const other = hmac("old", "x").digest("base64");
			const headers = {
				"webhook-id": "m1",
				"webhook-timestamp": String(at),
				"webhook-signature": `v1,${other} v1a,asymmetric v1,${signature}`,
			};
			const first = await trigger(world, "standard-webhooks", { raw: RAW, headers });
			assert.equal(first.status, 200);
			const again = await trigger(world, "standard-webhooks", { raw: RAW, headers });
			assert.equal(again.headers.get("idempotent-replayed"), "true");
			const moved = { ...headers, "webhook-id": "m2" };
			await assertRefused(world, "standard-webhooks", moved);
		},
	},
	{
		name: "a token webhook and a trigger with the namespace in its path also require the signature",
		cites: [],
		async run(world) {
			await putSecret(world, SECRET);
			await save(world, createSigned("github"));
			const { token } = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", {
				body: createSigned("github"),
			});
			for (const path of [`/webhooks/${token}/trigger`, `/webhooks/named/${world.owner}/github/trigger`]) {
				await world.anyone.refuse(401, "POST", path, { raw: RAW });
				const headers = signLikeGitHub(SECRET, RAW);
				assert.equal((await world.anyone.call("POST", path, { raw: RAW, headers })).status, 200);
			}
		},
	},
	{
		name: "signatures are checked with the credential's current secret, and fail without the credential",
		cites: [],
		async run(world) {
			await save(world, createSigned("github"));
			assert.match(await assertRefused(world, "github", signLikeGitHub(SECRET, RAW)), /credential/);
			await putSecret(world, SECRET);
			const old = signLikeGitHub(SECRET, RAW);
			assert.equal((await trigger(world, "github", { raw: RAW, headers: old })).status, 200);
			await putSecret(world, "changed", 200);
			await assertRefused(world, "github", old);
			const fresh = signLikeGitHub("changed", RAW);
			assert.equal((await trigger(world, "github", { raw: RAW, headers: fresh })).status, 200);
			await world.executor.call("DELETE", "/credentials/signer");
			await assertRefused(world, "github", fresh);
		},
	},
];

export const signatures: readonly Scenario[] = signedScenarios.map(onOwnService);
