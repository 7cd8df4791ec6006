import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { WrittenCredential } from "@tripline/contract/credentials";
import { CreatedWebhook } from "@tripline/contract/executor";
import { RunResult, SIGNATURE_SCHEMES, type SignatureScheme } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { onOwnService } from "./own-service.ts";
import { echo, getNamedPath, listRecords, listStored, save, trigger, waitForRecords } from "./saving.ts";

const NOW = Date.UTC(2026, 10, 9, 12);
const SECRET = "s3cr3t-of-the-sender";
/** Parsing and serializing it again would change its bytes. */
const RAW = '{ "total" : 1.50,\n"品": "茶" }';

const hmac = (secret: string | Buffer, text: string) => createHmac("sha256", secret).update(text);

/** The headers that a sender adds; `at` is in Unix seconds. */
const signers: Record<SignatureScheme, (secret: string, body: string, at: number) => Record<string, string>> =
	{
		"standard-webhooks": (secret, body, at) => ({
			"webhook-id": `msg_${at}`,
			"webhook-timestamp": String(at),
			"webhook-signature": `v1,${hmac(secret, `msg_${at}.${at}.${body}`).digest("base64")}`,
		}),
		github: (secret, body) => ({ "x-hub-signature-256": `sha256=${hmac(secret, body).digest("hex")}` }),
		stripe: (secret, body, at) => ({
			"stripe-signature": `t=${at},v1=${hmac(secret, `${at}.${body}`).digest("hex")}`,
		}),
		slack: (secret, body, at) => ({
			"x-slack-request-timestamp": String(at),
			"x-slack-signature": `v0=${hmac(secret, `v0:${at}:${body}`).digest("hex")}`,
		}),
		"hmac-sha256": (secret, body, at) => ({
			"x-signature-timestamp": String(at),
			"x-signature-256": hmac(secret, `${at}.${body}`).digest("hex"),
		}),
	};

const putSecret = (world: World, secret: string, status = 201) =>
	world.executor.expect(status, WrittenCredential, "PUT", "/credentials/signer", {
		body: { auth_recipe: "signing_secret", fields: { secret } },
	});

const createSigned = (scheme: SignatureScheme) =>
	echo(scheme, { options: { signature: { scheme, credential: "signer" } } });

async function assertRefused(
	world: World,
	scheme: SignatureScheme,
	headers: Record<string, string>,
	raw = RAW,
) {
	const { error } = await world.executor.refuse(401, "POST", getNamedPath(scheme, "trigger"), {
		raw,
		headers,
	});
	assert.match(error, /^not signed: /);
	assert.ok(!error.includes(SECRET));
	return error;
}

const eachScheme = SIGNATURE_SCHEMES.map(
	(scheme): Scenario => ({
		name: `a workflow with the signature scheme ${scheme} runs only for signed calls`,
		cites: [],
		async run(world) {
			await world.target.setNow(NOW);
			await putSecret(world, SECRET);
			await save(world, createSigned(scheme));
			const sign = signers[scheme];
			const at = NOW / 1000;
			await assertRefused(world, scheme, {});
			await assertRefused(world, scheme, sign("another secret", RAW, at));
			await assertRefused(world, scheme, sign(SECRET, RAW, at), `${RAW} `);
			await assertRefused(world, scheme, sign(SECRET, JSON.stringify(JSON.parse(RAW)), at));
			if (scheme !== "github") {
				for (const seconds of [-301, 301]) {
					assert.match(await assertRefused(world, scheme, sign(SECRET, RAW, at + seconds)), /5 minutes/);
				}
			}
			const answer = await trigger(world, scheme, { raw: RAW, headers: sign(SECRET, RAW, at) });
			assert.equal(answer.status, 200, JSON.stringify(answer.body));
			assert.deepEqual(RunResult.parse(answer.body).data, { got: { total: 1.5, 品: "茶" } });
			for (const seconds of [-299, 299]) {
				const headers = sign(SECRET, RAW, at + seconds);
				assert.equal((await trigger(world, scheme, { raw: RAW, headers })).status, 200);
			}
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
			await assertRefused(world, "github", { ...signers.github("wrong", RAW, 0), ...key });
			await assertRefused(world, "github", { prefer: "respond-async", ...key });
			assert.deepEqual(await listStored(world, "idempotency"), []);
			assert.deepEqual(await listStored(world, "accepted_run"), []);
			const headers = { ...signers.github(SECRET, RAW, 0), ...key };
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
				const headers = signers.github(SECRET, RAW, 0);
				assert.equal((await world.anyone.call("POST", path, { raw: RAW, headers })).status, 200);
			}
		},
	},
	{
		name: "signatures are checked with the credential's current secret, and fail without the credential",
		cites: [],
		async run(world) {
			await save(world, createSigned("github"));
			assert.match(await assertRefused(world, "github", signers.github(SECRET, RAW, 0)), /credential/);
			await putSecret(world, SECRET);
			const old = signers.github(SECRET, RAW, 0);
			assert.equal((await trigger(world, "github", { raw: RAW, headers: old })).status, 200);
			await putSecret(world, "changed", 200);
			await assertRefused(world, "github", old);
			const fresh = signers.github("changed", RAW, 0);
			assert.equal((await trigger(world, "github", { raw: RAW, headers: fresh })).status, 200);
			await world.executor.call("DELETE", "/credentials/signer");
			await assertRefused(world, "github", fresh);
		},
	},
];

export const signatures: readonly Scenario[] = signedScenarios.map(onOwnService);
