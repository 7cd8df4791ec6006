import assert from "node:assert/strict";
import type { KeptRuns } from "../../src/kept.ts";
import type { ContractCase, manualClock } from "./contract.ts";

interface Subject {
	readonly kept: KeptRuns;
	readonly clock: ReturnType<typeof manualClock>;
}

const MAX_BYTES = 1_000;

/** Each case gets an empty database. */
export const keptContract: readonly ContractCase<Subject>[] = [
	{
		name: "what was put comes back to its namespace, until it expires",
		async run({ kept, clock }) {
			const expiresAt = clock.now() + 1_000;
			await kept.put({ namespace: "a", id: "1", text: "sealed", expiresAt }, MAX_BYTES);
			assert.deepEqual({ ...(await kept.get("a", "1")) }, { text: "sealed", expiresAt });
			assert.equal(await kept.get("b", "1"), null);
			assert.equal(await kept.get("a", "2"), null);
			clock.advance(1_000);
			assert.equal(await kept.get("a", "1"), null);
		},
	},
	{
		name: "a second put of a run replaces the first, also in the size",
		async run({ kept, clock }) {
			const expiresAt = clock.now() + 1_000;
			await kept.put({ namespace: "a", id: "1", text: "x".repeat(300), expiresAt }, MAX_BYTES);
			await kept.put({ namespace: "a", id: "1", text: "second", expiresAt }, MAX_BYTES);
			assert.equal((await kept.get("a", "1"))?.text, "second");
			assert.equal(await kept.measure("a"), 6);
		},
	},
	{
		name: "a deleted run is gone, and its size with it",
		async run({ kept, clock }) {
			const expiresAt = clock.now() + 1_000;
			await kept.put({ namespace: "a", id: "1", text: "12345", expiresAt }, MAX_BYTES);
			assert.equal(await kept.delete("b", "1"), false);
			assert.equal(await kept.measure("a"), 5);
			assert.equal(await kept.delete("a", "1"), true);
			assert.equal(await kept.delete("a", "1"), false);
			assert.equal(await kept.get("a", "1"), null);
			assert.equal(await kept.measure("a"), 0);
			assert.equal(await kept.measure("b"), 0);
		},
	},
	{
		name: "above the limit of a namespace its oldest runs are deleted, and no others",
		async run({ kept, clock }) {
			const expiresAt = clock.now() + 1_000;
			const put = (namespace: string, id: string) =>
				kept.put({ namespace, id, text: "x".repeat(400), expiresAt }, MAX_BYTES);
			await put("other", "0");
			for (const id of ["2", "1", "3", "4"]) await put("a", id);
			assert.equal(await kept.get("a", "1"), null);
			assert.equal(await kept.get("a", "2"), null);
			assert.notEqual(await kept.get("a", "3"), null);
			assert.notEqual(await kept.get("a", "4"), null);
			assert.notEqual(await kept.get("other", "0"), null);
			assert.equal(await kept.measure("a"), 800);
		},
	},
	{
		name: "concurrent puts stay below the limit, and the size stays exact",
		async run({ kept, clock }) {
			const expiresAt = clock.now() + 1_000;
			const ids = Array.from({ length: 150 }, (_, index) => String(index).padStart(3, "0"));
			await Promise.all(
				ids.map((id) => kept.put({ namespace: "a", id, text: "x".repeat(90), expiresAt }, MAX_BYTES)),
			);
			const left = (await Promise.all(ids.map((id) => kept.get("a", id)))).filter((run) => run !== null);
			assert.equal(await kept.measure("a"), left.length * 90);
			assert.ok(left.length * 90 <= MAX_BYTES, `${left.length} runs are left`);
			assert.ok(left.length > 0);
		},
	},
	{
		name: "a sweep deletes what has expired, in batches",
		async run({ kept, clock }) {
			for (let index = 0; index < 120; index++) {
				const expiresAt = clock.now() + 1_000;
				await kept.put({ namespace: "a", id: `old ${index}`, text: "12345", expiresAt }, MAX_BYTES);
			}
			await kept.put({ namespace: "a", id: "new", text: "123", expiresAt: clock.now() + 5_000 }, MAX_BYTES);
			assert.equal(await kept.sweep(), 0);
			clock.advance(1_000);
			assert.equal(await kept.sweep(), 100);
			assert.equal(await kept.sweep(), 20);
			assert.equal(await kept.sweep(), 0);
			assert.equal(await kept.measure("a"), 3);
		},
	},
	{
		name: "the longest text is stored whole",
		async run({ kept, clock }) {
			const text = "x".repeat(1_900_000);
			await kept.put({ namespace: "a", id: "1", text, expiresAt: clock.now() + 1_000 }, 2_000_000);
			assert.equal((await kept.get("a", "1"))?.text, text);
		},
	},
];
