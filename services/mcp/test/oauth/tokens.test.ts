import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Kv } from "@tripline/platform/kv";
import { createTokens, type Tokens } from "../../src/oauth/tokens.ts";
import { openServer } from "./open-server.ts";

function createCountedKv(kv: Kv) {
	const counts = { reads: 0 };
	const get = (key: string) => {
		counts.reads++;
		return kv.get(key);
	};
	return { kv: { ...kv, get }, counts };
}

const buildToken = (index: number): string => `tlo_${String(index).padStart(43, "0")}`;

async function issue(tokens: Tokens, index: number, changes: object = {}): Promise<string> {
	const record = {
		namespace: "acme",
		resource: "https://tripline.example/mcp",
		client_id: "a-client",
		client_name: "Claude",
		issued_at: NOW + index,
		expires_at: NOW + 3_600_000,
	};
	await tokens.issue({ ...record, ...changes }, buildToken(index));
	return buildToken(index);
}

const NOW = Date.UTC(2026, 10, 15, 12);

describe("tokens", () => {
	it("need one read in five seconds, whether they exist or not", async (context) => {
		const { kv: plain, clock } = await openServer(context);
		const { kv, counts } = createCountedKv(plain);
		const tokens = createTokens({ kv, clock });
		const known = await issue(tokens, 1);
		for (let time = 0; time < 5; time++) {
			assert.equal((await tokens.find(known))?.client_name, "Claude");
			assert.equal(await tokens.find(buildToken(2)), null);
			clock.time += 999;
		}
		assert.equal(counts.reads, 2);
		clock.time += 5;
		await tokens.find(known);
		assert.equal(counts.reads, 3);
	});

	it("of another format are not looked up", async (context) => {
		const { kv: plain, clock } = await openServer(context);
		const { kv, counts } = createCountedKv(plain);
		const tokens = createTokens({ kv, clock });
		for (const text of ["", "acme", "__proto__", `tlo_${"a".repeat(42)}`, `tlo_${"a".repeat(44)}`, "token:x"])
			assert.equal(await tokens.find(text), null);
		assert.equal(counts.reads, 0);
	});

	it("are found as soon as they are issued, even if they were just unknown", async (context) => {
		const { tokens } = await openServer(context);
		assert.ok(tokens !== null);
		assert.equal(await tokens.find(buildToken(1)), null);
		await issue(tokens, 1);
		assert.notEqual(await tokens.find(buildToken(1)), null);
	});

	it("expire to the millisecond, even if they are cached and the storage lags", async (context) => {
		const { kv, clock } = await openServer(context);
		const tokens = createTokens({ kv: { ...kv, put: (key, value) => kv.put(key, value) }, clock });
		const token = await issue(tokens, 1, { expires_at: clock.time + 1_000 });
		clock.time += 999;
		assert.notEqual(await tokens.find(token), null);
		clock.time += 1;
		assert.equal(await tokens.find(token), null);
		clock.time += 10_000;
		assert.equal(await tokens.find(token), null);
		assert.deepEqual((await tokens.list("acme", null)).tokens, []);
	});

	it("are refused five seconds after another process revoked them", async (context) => {
		const { kv, clock } = await openServer(context);
		const [here, elsewhere] = [createTokens({ kv, clock }), createTokens({ kv, clock })];
		const token = await issue(here, 1);
		const found = await here.find(token);
		assert.equal(await elsewhere.revoke("acme", found?.id ?? ""), true);
		clock.time += 5_000;
		assert.equal(await here.find(token), null);
	});

	it("can be revoked only by their own namespace", async (context) => {
		const { tokens } = await openServer(context);
		assert.ok(tokens !== null);
		const token = await issue(tokens, 1);
		const id = (await tokens.find(token))?.id ?? "";
		assert.equal(await tokens.revoke("other", id), false);
		assert.equal(await tokens.revoke("acme", "no-id"), false);
		assert.equal(await tokens.revoke("acme", "0".repeat(64)), false);
		assert.notEqual(await tokens.find(token), null);
		assert.equal(await tokens.revoke("acme", id), true);
		assert.equal(await tokens.find(token), null);
		assert.equal(await tokens.revoke("acme", id), false);
	});

	it("are listed for their namespace page by page, without the tokens themselves", async (context) => {
		const { tokens } = await openServer(context);
		assert.ok(tokens !== null);
		for (let index = 0; index < 45; index++)
			await issue(tokens, index, { namespace: index % 3 === 0 ? "other" : "acme" });
		const seen: string[] = [];
		let cursor: string | null = null;
		let pages = 0;
		do {
			const page: Awaited<ReturnType<Tokens["list"]>> = await tokens.list("acme", cursor);
			const times = page.tokens.map(({ issued_at }) => issued_at);
			assert.deepEqual(
				times,
				[...times].sort((one, other) => other - one),
			);
			assert.ok(page.tokens.every(({ namespace }) => namespace === "acme"));
			assert.doesNotMatch(JSON.stringify(page), /tlo_/);
			seen.push(...page.tokens.map(({ id }) => id));
			cursor = page.cursor;
			pages++;
		} while (cursor !== null);
		assert.equal(pages, 3);
		assert.equal(new Set(seen).size, 30);
	});

	it("are cached in a bounded number", async (context) => {
		const { kv: plain, clock } = await openServer(context);
		const { kv, counts } = createCountedKv(plain);
		const tokens = createTokens({ kv, clock });
		for (let index = 0; index <= 1_000; index++) await tokens.find(buildToken(index));
		assert.equal(counts.reads, 1_001);
		await tokens.find(buildToken(1_000));
		assert.equal(counts.reads, 1_001);
		await tokens.find(buildToken(0));
		assert.equal(counts.reads, 1_002);
	});
});
