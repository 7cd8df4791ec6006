import assert from "node:assert/strict";
import type { Kv } from "../../src/kv.ts";
import type { ContractCase } from "./contract.ts";

export interface KvSubject {
	readonly kv: Kv;
	readonly clock: { advance(milliseconds: number): void };
}

async function everyKey(kv: Kv, prefix: string, limit: number): Promise<{ keys: string[]; pages: number }> {
	const keys: string[] = [];
	let cursor: string | null = null;
	let pages = 0;
	do {
		const page: Awaited<ReturnType<Kv["list"]>> = await kv.list({ prefix, limit, cursor });
		keys.push(...page.keys);
		cursor = page.cursor;
		pages++;
	} while (cursor !== null);
	return { keys, pages };
}

/** Each case gets an empty namespace and a clock that it moves. */
export const kvContract: readonly ContractCase<KvSubject>[] = [
	{
		name: "a value is read as it was written, and the last write wins",
		async run({ kv }) {
			assert.equal(await kv.get("k"), null);
			await kv.put("k", "one");
			await kv.put("k", '{"text":"編碼 🧵"}');
			assert.equal(await kv.get("k"), '{"text":"編碼 🧵"}');
		},
	},
	{
		name: "a deleted key is gone, and deleting it again is no error",
		async run({ kv }) {
			await kv.put("k", "v");
			await kv.delete("k");
			await kv.delete("k");
			assert.equal(await kv.get("k"), null);
		},
	},
	{
		name: "a key expires after its time to live, even below a minute",
		async run({ kv, clock }) {
			await kv.put("short", "v", { ttlSeconds: 5 });
			clock.advance(4999);
			assert.equal(await kv.get("short"), "v");
			clock.advance(1);
			assert.equal(await kv.get("short"), null);
			assert.deepEqual((await kv.list({ prefix: "sh" })).keys, []);
		},
	},
	{
		name: "putting again without a time to live makes a key permanent",
		async run({ kv, clock }) {
			await kv.put("k", "v", { ttlSeconds: 5 });
			await kv.put("k", "w");
			clock.advance(3_600_000);
			assert.equal(await kv.get("k"), "w");
		},
	},
	{
		name: "a list contains only the keys of its prefix, in byte order",
		async run({ kv }) {
			for (const key of ["a:2", "a:10", "a:編", "a:🧵", "b:1", "a", "a:Z"]) await kv.put(key, "v");
			assert.deepEqual((await kv.list({ prefix: "a:" })).keys, ["a:10", "a:2", "a:Z", "a:編", "a:🧵"]);
		},
	},
	{
		name: "a long list is paged without gaps",
		async run({ kv }) {
			const keys = Array.from({ length: 25 }, (_, index) => `p:${String(index).padStart(3, "0")}`);
			for (const key of keys) await kv.put(key, "v");
			const listed = await everyKey(kv, "p:", 10);
			assert.deepEqual(listed, { keys, pages: 3 });
		},
	},
	{
		name: "a percent sign or an underscore in a prefix is literal",
		async run({ kv }) {
			await kv.put("x_%1", "v");
			await kv.put("xy21", "v");
			assert.deepEqual((await kv.list({ prefix: "x_%" })).keys, ["x_%1"]);
		},
	},
	{
		name: "a key that one platform rejects is rejected everywhere",
		async run({ kv }) {
			for (const key of ["", ".", "..", "編".repeat(171)]) {
				await assert.rejects(kv.put(key, "v"), RangeError);
				await assert.rejects(kv.get(key), RangeError);
				await assert.rejects(kv.delete(key), RangeError);
			}
			await kv.put("編".repeat(170), "v");
		},
	},
	{
		name: "a time to live is a whole number of seconds, at least one",
		async run({ kv }) {
			for (const ttlSeconds of [0, -1, 1.5, Number.NaN]) {
				await assert.rejects(kv.put("k", "v", { ttlSeconds }), RangeError);
			}
		},
	},
];
