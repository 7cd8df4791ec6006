import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Kv } from "@tripline/platform/kv";
import { StoreUnavailable } from "@tripline/store/client";
import {
	buildAuthorizeQuery,
	buildTokenForm,
	CALLBACK,
	CHALLENGE,
	json,
	ORIGIN,
	openServer,
	readError,
	VERIFIER,
} from "./open-server.ts";

/** Storage whose expiry and deletions lag. */
const createLaggingKv = (kv: Kv): Kv => ({
	...kv,
	put: (key, value) => kv.put(key, value),
	delete: async (key) => (key.startsWith("code:") ? undefined : kv.delete(key)),
});

describe("POST /token", () => {
	it("exchanges the code for a token bound to the owner's namespace and this server", async (context) => {
		const { post, codeFor, tokens, clock } = await openServer(context);
		const response = await post("/token", buildTokenForm(await codeFor()));
		assert.equal(response.status, 200);
		assert.equal(response.headers.get("cache-control"), "no-store");
		assert.equal(response.headers.get("pragma"), "no-cache");
		const { access_token, ...rest } = (await response.json()) as { access_token: string };
		assert.deepEqual(rest, { token_type: "Bearer", expires_in: 2_592_000 });
		assert.match(access_token, /^tlo_[A-Za-z0-9_-]{43}$/);
		const { id, ...found } = (await tokens?.find(access_token)) ?? { id: "" };
		assert.match(id, /^[0-9a-f]{64}$/);
		assert.deepEqual(found, {
			namespace: "acme",
			resource: `${ORIGIN}/mcp`,
			client_id: "a-client",
			client_name: null,
			issued_at: clock.time,
			expires_at: clock.time + 2_592_000_000,
		});
	});

	it("accepts JSON too", async (context) => {
		const { post, codeFor } = await openServer(context);
		const body = JSON.stringify(Object.fromEntries(buildTokenForm(await codeFor())));
		assert.equal((await post("/token", body, { headers: json })).status, 200);
	});

	it("needs no redirect_uri, and accepts every form of the resource", async (context) => {
		const { post, codeFor } = await openServer(context);
		for (const changes of [
			{ redirect_uri: undefined },
			{ resource: ORIGIN },
			{ resource: `${ORIGIN}/mcp/` },
			{ resource: "" },
		]) {
			assert.equal((await post("/token", buildTokenForm(await codeFor(), changes))).status, 200);
		}
	});

	for (const [what, changes, error] of [
		["a wrong code_verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
		["a short code_verifier", { code_verifier: "short" }, "invalid_grant"],
		["the challenge as code_verifier", { code_verifier: CHALLENGE }, "invalid_grant"],
		["no code_verifier", { code_verifier: undefined }, "invalid_request"],
		["another client", { client_id: "another" }, "invalid_grant"],
		["no client", { client_id: undefined }, "invalid_request"],
		["another redirect_uri", { redirect_uri: `${CALLBACK}/` }, "invalid_grant"],
		["a foreign resource", { resource: "https://evil.com/mcp" }, "invalid_target"],
	] as const) {
		it(`rejects ${what} and invalidates the code`, async (context) => {
			const { post, codeFor, kv } = await openServer(context);
			const code = await codeFor();
			const refused = await post("/token", buildTokenForm(code, changes));
			assert.equal(refused.status, 400);
			assert.equal(refused.headers.get("cache-control"), "no-store");
			assert.equal(await readError(refused), error);
			const again = await post("/token", buildTokenForm(code));
			assert.equal(again.status, 400);
			assert.equal(await readError(again), "invalid_grant");
			assert.deepEqual((await kv.list({ prefix: "" })).keys, []);
		});
	}

	for (const [what, changes, error] of [
		["no grant_type", { grant_type: undefined }, "invalid_request"],
		["refresh tokens", { grant_type: "refresh_token" }, "unsupported_grant_type"],
		["client credentials", { grant_type: "client_credentials" }, "unsupported_grant_type"],
		["no code", { code: undefined }, "invalid_request"],
		["an unknown code", { code: "A".repeat(43) }, "invalid_grant"],
		["a code of another shape", { code: "../code" }, "invalid_grant"],
		["a very long code", { code: "A".repeat(10_000) }, "invalid_grant"],
	] as const) {
		it(`rejects ${what} with ${error}, and stores nothing`, async (context) => {
			const { post, store } = await openServer(context);
			const response = await post("/token", buildTokenForm("", changes));
			assert.equal(response.status, 400);
			assert.equal(await readError(response), error);
			const page = await store.entries.list({ owner_id: "_system", entry_type: "oauth_code" });
			assert.deepEqual(page.entries, []);
		});
	}

	it("rejects a repeated parameter", async (context) => {
		const { post, codeFor } = await openServer(context);
		const body = buildTokenForm(await codeFor());
		body.append("code", "A".repeat(43));
		assert.equal(await readError(await post("/token", body)), "invalid_request");
	});

	for (const [type, body] of [
		["text/plain", "grant_type=authorization_code"],
		["multipart/form-data; boundary=x", "--x--"],
		["", "grant_type=authorization_code"],
		["application/json", ""],
		["application/json", "{"],
		["application/json", "null"],
		["application/json", "[]"],
		["application/json", '"text"'],
		["application/json", '{"grant_type":["authorization_code"]}'],
		["application/json", '{"grant_type":{"__proto__":1}}'],
		["application/json", '{"grant_type":"authorization_code","code":7}'],
		["application/json", '{"grant_type":"authorization_code","code":null}'],
		["application/json", '{"__proto__":{"grant_type":"authorization_code"}}'],
		["application/json", new Uint8Array([0x22, 0xff, 0x22])],
		["application/x-www-form-urlencoded", ""],
		["application/x-www-form-urlencoded", "%ff%00=%&&&="],
		["application/x-www-form-urlencoded", new Uint8Array([0xff, 0xfe])],
	] as const) {
		it(`answers 400 to ${JSON.stringify(String(body))} as ${type || "nothing"}`, async (context) => {
			const { post } = await openServer(context);
			const response = await post("/token", new Uint8Array(Buffer.from(body)), {
				headers: type === "" ? {} : { "content-type": type },
			});
			assert.equal(response.status, 400);
			assert.equal(await readError(response), "invalid_request");
		});
	}

	it("answers 413 to more than 64 KiB", async (context) => {
		const { post } = await openServer(context);
		assert.equal((await post("/token", buildTokenForm("A".repeat(70_000)))).status, 413);
	});

	it("answers 503 without OAUTH_KV, and while the store is unavailable, when the code stays valid", async (context) => {
		const bare = await openServer(context, { kv: () => null });
		const refused = await bare.post("/token", buildTokenForm("A".repeat(43)));
		assert.equal(refused.status, 503);
		assert.equal(await readError(refused), "temporarily_unavailable");

		let down = true;
		const server = await openServer(context, {
			store: (store) => ({
				...store,
				entries: {
					...store.entries,
					createOnce: (entry) =>
						down ? Promise.reject(new StoreUnavailable("no answer")) : store.entries.createOnce(entry),
				},
			}),
		});
		const code = await server.codeFor();
		assert.equal((await server.post("/token", buildTokenForm(code))).status, 503);
		down = false;
		assert.equal((await server.post("/token", buildTokenForm(code))).status, 200);
	});

	it("issues no token that could not be revoked later", async (context) => {
		const server = await openServer(context, {
			store: (store) => ({
				...store,
				entries: { ...store.entries, upsert: () => Promise.reject(new StoreUnavailable("no answer")) },
			}),
		});
		assert.equal((await server.post("/token", buildTokenForm(await server.codeFor()))).status, 503);
		assert.deepEqual((await server.kv.list({ prefix: "" })).keys, []);
	});
});

describe("a code", () => {
	it("is valid for 600 seconds", async (context) => {
		const { post, codeFor, clock } = await openServer(context);
		const [early, late] = [await codeFor(), await codeFor()];
		clock.time += 599_999;
		assert.equal((await post("/token", buildTokenForm(early))).status, 200);
		clock.time += 1;
		const response = await post("/token", buildTokenForm(late));
		assert.equal(response.status, 400);
		assert.equal(await readError(response), "invalid_grant");
	});

	it("expires and can be used only once even if the storage lags", async (context) => {
		const { post, codeFor, clock } = await openServer(context, { kv: createLaggingKv });
		const [used, late] = [await codeFor(), await codeFor()];
		assert.equal((await post("/token", buildTokenForm(used))).status, 200);
		assert.equal(await readError(await post("/token", buildTokenForm(used))), "invalid_grant");
		clock.time += 600_000;
		assert.equal(await readError(await post("/token", buildTokenForm(late))), "invalid_grant");
	});

	it("used by many concurrent requests yields one token, which stays valid", async (context) => {
		for (const kv of [(each: Kv) => each, createLaggingKv]) {
			const { post, codeFor, tokens } = await openServer(context, { kv });
			const code = await codeFor();
			const responses = await Promise.all(
				Array.from({ length: 20 }, () => post("/token", buildTokenForm(code))),
			);
			const granted = responses.filter(({ status }) => status === 200);
			assert.equal(granted.length, 1);
			for (const response of responses.filter(({ status }) => status !== 200))
				assert.equal(await readError(response), "invalid_grant");
			const { access_token } = (await (granted[0] as Response).json()) as { access_token: string };
			assert.equal((await tokens?.find(access_token))?.namespace, "acme");
		}
	});

	it("used by two concurrent requests yields a token that stays valid, however slow the second is", async (context) => {
		const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		let reads = 0;
		const { post, codeFor, tokens } = await openServer(context, {
			kv: (kv) => ({
				...kv,
				async get(key) {
					if (key.startsWith("code:") && ++reads === 1) {
						reached.resolve();
						await held.promise;
					}
					return kv.get(key);
				},
			}),
		});
		const code = await codeFor();
		const slow = post("/token", buildTokenForm(code));
		await reached.promise;
		const quick = (await (await post("/token", buildTokenForm(code))).json()) as { access_token: string };
		held.resolve();
		assert.equal(await readError(await slow), "invalid_grant");
		assert.notEqual(await tokens?.find(quick.access_token), null);
	});

	it("used again revokes its own token and no other", async (context) => {
		for (const kv of [(each: Kv) => each, createLaggingKv]) {
			const { post, codeFor, tokenFor, tokens, lines } = await openServer(context, { kv });
			const other = await tokenFor();
			const code = await codeFor();
			const { access_token } = (await (await post("/token", buildTokenForm(code))).json()) as {
				access_token: string;
			};
			assert.notEqual(await tokens?.find(access_token), null);
			const again = await post("/token", buildTokenForm(code, { code_verifier: "stolen".repeat(8) }));
			assert.equal(await readError(again), "invalid_grant");
			assert.equal(await tokens?.find(access_token), null);
			assert.notEqual(await tokens?.find(other), null);
			assert.ok(lines.some((line) => line.includes("presented again")));
			for (const secret of [code, access_token, VERIFIER])
				assert.ok(!lines.some((line) => line.includes(secret)));
		}
	});

	it("is recorded as used in the store by its hash, for a day", async (context) => {
		const { codeFor, post, store, storeApp, clock } = await openServer(context);
		const code = await codeFor();
		await post("/token", buildTokenForm(code));
		const listUses = async () =>
			(await store.entries.list({ owner_id: "_system", entry_type: "oauth_code" })).entries;
		assert.equal((await listUses()).length, 1);
		assert.ok(!JSON.stringify(await listUses()).includes(code));
		clock.time += 25 * 60 * 60 * 1000;
		await storeApp.tick();
		assert.deepEqual(await listUses(), []);
	});

	it("is bound to its client and request", async (context) => {
		const { post, codeFor } = await openServer(context);
		const codes = [await codeFor({ client_id: "one" }), await codeFor({ client_id: "two" })];
		const statuses = await Promise.all(
			codes.map(async (code) => (await post("/token", buildTokenForm(code, { client_id: "one" }))).status),
		);
		assert.deepEqual(statuses, [200, 400]);
	});
});

describe("POST /revoke", () => {
	it("revokes a token, sent as a form or as JSON", async (context) => {
		const { post, tokenFor, tokens } = await openServer(context);
		for (const send of [
			(token: string) => post("/revoke", new URLSearchParams({ token, token_type_hint: "access_token" })),
			(token: string) => post("/revoke", JSON.stringify({ token }), { headers: json }),
		]) {
			const token = await tokenFor();
			assert.notEqual(await tokens?.find(token), null);
			assert.equal((await send(token)).status, 200);
			assert.equal(await tokens?.find(token), null);
		}
	});

	it("answers 200 for an unknown token", async (context) => {
		const { post } = await openServer(context);
		for (const token of [`tlo_${"A".repeat(43)}`, "x", "../token"])
			assert.equal((await post("/revoke", new URLSearchParams({ token }))).status, 200);
	});

	it("answers 400 without a token, and 503 without OAUTH_KV", async (context) => {
		const { post } = await openServer(context);
		assert.equal(await readError(await post("/revoke", new URLSearchParams())), "invalid_request");
		assert.equal(await readError(await post("/revoke", "token=x", { headers: json })), "invalid_request");
		const bare = await openServer(context, { kv: () => null });
		assert.equal((await bare.post("/revoke", buildAuthorizeQuery())).status, 503);
	});
});
