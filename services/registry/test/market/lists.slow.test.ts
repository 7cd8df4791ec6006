import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { runComponent } from "./run-component.ts";

const RUNS = { numRuns: 60 };
const text = (value: Json) => JSON.stringify(value);

describe("list_changes", () => {
	test("removing the removed and adding the added elements gives the new list", async () => {
		const values = fc.array(fc.constantFrom<Json>(1, "1", null, { a: 1, b: [2] }, { b: [2], a: 1 }, []), {
			maxLength: 8,
		});
		await fc.assert(
			fc.asyncProperty(values, values, async (before, after) => {
				const found = (await runComponent("list_changes", { before, after })) as Changes;
				const sorted = (list: Json[]) => list.map((one) => text(sortNames(one))).sort();
				const left = sorted(before);
				for (const gone of sorted(found.removed)) left.splice(left.indexOf(gone), 1);
				assert.deepEqual([...left, ...sorted(found.added)].sort(), sorted(after));
				assert.equal(found.unchanged, left.length);
			}),
			RUNS,
		);
	});

	test("by key every element is added, removed, changed or the same", async () => {
		const values = fc.uniqueArray(fc.record({ id: fc.nat(6), v: fc.nat(2) }), {
			selector: ({ id }) => id,
			maxLength: 6,
		});
		await fc.assert(
			fc.asyncProperty(values, values, async (before, after) => {
				const found = (await runComponent("list_changes", { before, after, key: "id" })) as Changes;
				assert.equal(found.added.length + found.changed.length + found.unchanged, after.length);
				assert.equal(found.removed.length + found.changed.length + found.unchanged, before.length);
				for (const { before: old, after: now, fields } of found.changed) {
					assert.deepEqual(fields, ["v"]);
					assert.ok(
						before.some((one) => text(one) === text(old)) && after.some((one) => text(one) === text(now)),
					);
				}
			}),
			RUNS,
		);
	});
});

type Changes = {
	added: Json[];
	removed: Json[];
	changed: { key: Json; before: Json; after: Json; fields: string[] }[];
	unchanged: number;
};

const sortNames = (value: Json): Json =>
	value !== null && typeof value === "object" && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value).sort())
		: value;

test("batch_list: the joined batches equal the list, and none exceeds the limit", async () => {
	const values = fc.array(fc.string({ maxLength: 6 }), { maxLength: 20 });
	await fc.assert(
		fc.asyncProperty(values, fc.integer({ min: 1, max: 5 }), async (items, size) => {
			const batches = (await runComponent("batch_list", { items, size, max_characters: 40 })) as Json[][];
			assert.deepEqual(batches.flat(), items);
			assert.ok(
				batches.every((batch) => batch.length > 0 && batch.length <= size && text(batch).length <= 40),
			);
		}),
		RUNS,
	);
});

test("lookup_join: gives the same result as two nested loops", async () => {
	const row = fc.record(
		{ k: fc.constantFrom<Json>(1, "1", null, "x"), n: fc.nat(9) },
		{ noNullPrototype: true },
	);
	const rows = fc.array(row, {
		maxLength: 8,
	});
	await fc.assert(
		fc.asyncProperty(rows, rows, async (items, others) => {
			const joined = await runComponent("lookup_join", {
				items,
				key: "k",
				with: others,
				as: "o",
				many: true,
			});
			const wanted = items.map((item) => ({
				...item,
				o: others.filter(({ k }) => k !== null && k === item.k),
			}));
			assert.deepEqual(joined, wanted);
		}),
		RUNS,
	);
});

test("lookup_join: accepts names that are special in JavaScript", async () => {
	const items = JSON.parse('[{"__proto__": 1}]') as Json[];
	const joined = await runComponent("lookup_join", {
		items,
		key: "__proto__",
		with: items,
		as: "constructor",
	});
	assert.equal(text(joined), '[{"__proto__":1,"constructor":{"__proto__":1}}]');
	await assert.rejects(
		runComponent("lookup_join", { items: [{}], key: "toString", with: [{}], as: "o", unmatched: "fail" }),
		/nothing has toString/,
	);
});

test("fuzzy_match: a text is most similar to itself, and similarity is symmetric", async () => {
	const word = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/);
	await fc.assert(
		fc.asyncProperty(word, word, async (a, b) => {
			const score = async (wanted: string, candidate: string) => {
				const params = { text: wanted, candidates: [candidate], min_score: 0 };
				const { matches } = (await runComponent("fuzzy_match", params)) as { matches: { score: number }[] };
				return matches[0]?.score ?? 0;
			};
			assert.equal(await score(a, a), 1);
			assert.equal(await score(a, b), await score(b, a));
		}),
		RUNS,
	);
});

test("rank_by_vector: orders by cosine similarity, whatever the vectors' lengths", async () => {
	const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 });
	const some = vector.filter((numbers) => numbers.some((one) => one !== 0));
	await fc.assert(
		fc.asyncProperty(some, fc.array(some, { maxLength: 6 }), async (query, vectors) => {
			const items = vectors.map((one, id) => ({ id, vector: one }));
			const ranked = (await runComponent("rank_by_vector", { query, items })) as {
				score: number;
				item: { id: number };
			}[];
			for (const [place, { score, item }] of ranked.entries()) {
				const other = vectors[item.id] ?? [];
				const dot = (a: number[], b: number[]) => a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);
				const cosine = dot(query, other) / Math.sqrt(dot(query, query) * dot(other, other));
				assert.ok(Math.abs(score - cosine) < 1e-6);
				assert.ok(place === 0 || score <= (ranked[place - 1]?.score ?? 1));
			}
			assert.equal(ranked.length, vectors.length);
		}),
		RUNS,
	);
});

test("statistics: the percentiles are correct", async () => {
	const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 40 });
	await fc.assert(
		fc.asyncProperty(values, async (given) => {
			const found = (await runComponent("statistics", {
				values: given,
				percentiles: [0, 10, 50, 90, 100],
			})) as Described;
			const sorted = given.toSorted((a, b) => a - b);
			const { p0 = 0, p10 = 0, p50 = 0, p90 = 0, p100 = 0 } = found.percentiles;
			assert.deepEqual([p0, p50, p100], [sorted[0], found.median, sorted.at(-1)]);
			assert.ok(p0 <= p10 && p10 <= p50 && p50 <= p90 && p90 <= p100);
			assert.ok(Math.abs(found.mean * given.length - found.sum) < 1e-6);
		}),
		RUNS,
	);
});

type Described = { median: number; mean: number; sum: number; percentiles: Record<string, number> };
