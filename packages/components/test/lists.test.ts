import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { runForError, runForOutput } from "./run-node.ts";

const runOverList = (component: string, list: Json, params: { [name: string]: Json }) =>
	[component, { items: "{{input.list}}", ...params }, { input: { list } }] as const;

describe("sort", () => {
	test("keeps the order of elements with equal values, in both directions", async () => {
		const list = [
			{ key: 1, at: 0 },
			{ key: 0, at: 1 },
			{ key: 1, at: 2 },
			{ key: 0, at: 3 },
		];
		const sortPlaces = async (order: string) =>
			((await runForOutput(...runOverList("sort", list, { by: "item.key", order }))) as typeof list).map(
				({ at }) => at,
			);
		assert.deepEqual(await sortPlaces("asc"), [1, 3, 0, 2]);
		assert.deepEqual(await sortPlaces("desc"), [0, 2, 1, 3]);
	});

	test("keeps null at the end in both directions", async () => {
		const list = [null, 2, null, "a", 1];
		assert.deepEqual(await runForOutput(...runOverList("sort", list, { by: "item" })), [
			1,
			2,
			"a",
			null,
			null,
		]);
		const descending = await runForOutput(...runOverList("sort", list, { by: "item", order: "desc" }));
		assert.deepEqual(descending, ["a", 2, 1, null, null]);
	});

	test("gives the same result for every order of the same values", async () => {
		const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
		await fc.assert(
			fc.asyncProperty(fc.array(value, { maxLength: 20 }), async (list) => {
				const shuffled = [...list].reverse();
				assert.deepEqual(
					await runForOutput(...runOverList("sort", list, { by: "item" })),
					await runForOutput(...runOverList("sort", shuffled, { by: "item" })),
				);
			}),
			{ numRuns: 50 },
		);
	});
});

describe("filter", () => {
	test("yields to other work while it processes a long list", async () => {
		const list = Array.from({ length: 100_000 }, (_, index) => index);
		let turns = 0;
		const timer = setInterval(() => turns++, 0);
		const where = "[item, item + 1, item + 2].exists(x, x % 4 == 3)";
		const kept = (await runForOutput(...runOverList("filter", list, { where }))) as Json[];
		clearInterval(timer);
		assert.equal(kept.length, 75_000);
		assert.ok(turns > 5, `${turns} turns`);
	});

	test("stops in a long list when the run is cancelled", async () => {
		const controller = new AbortController();
		const list = Array.from({ length: 100_000 }, (_, index) => index);
		setTimeout(() => controller.abort(), 0);
		const where = "[item, item + 1].exists(x, x % 2 == 0)";
		const [component, params, setting] = runOverList("filter", list, { where });
		assert.match(await runForError(component, params, { ...setting, signal: controller.signal }), /cancel/);
	});

	test("rejects a list of more than 100000 elements", async () => {
		const list = Array.from({ length: 100_001 }, () => 0);
		assert.match(
			await runForError(...runOverList("filter", list, { where: "true" })),
			/at most 100000 elements/,
		);
	});
});

describe("map", () => {
	test("names the element that an expression fails for", async () => {
		const error = await runForError(...runOverList("map", [{ a: 1 }, {}], { value: "item.a" }));
		assert.match(error, /^items\[1\]: /);
	});

	test("fails before values that are small in memory become huge together", async () => {
		const [component, params] = runOverList("map", [], { value: "[input.big]" });
		const input = { list: Array.from({ length: 1000 }, () => 0), big: "x".repeat(500_000) };
		assert.match(await runForError(component, params, { input }), /larger than 8388608 characters/);
	});
});

describe("aggregate", () => {
	const compute = {
		count: "count()",
		sum: "sum(item)",
		avg: "avg(item)",
		min: "min(item)",
		max: "max(item)",
		first: "first(item)",
		last: "last(item)",
		list: "list(item)",
	};

	test("ignores null in sums and comparisons, and keeps it in lists", async () => {
		assert.deepEqual(await runForOutput(...runOverList("aggregate", [null, 4, 2, null], { compute })), {
			count: 4,
			sum: 6,
			avg: 3,
			min: 2,
			max: 4,
			first: null,
			last: null,
			list: [null, 4, 2, null],
		});
	});

	test("has values for an empty list", async () => {
		const none = { count: 0, sum: 0, avg: null, min: null, max: null, first: null, last: null, list: [] };
		assert.deepEqual(await runForOutput(...runOverList("aggregate", [], { compute })), none);
		assert.deepEqual(await runForOutput(...runOverList("aggregate", [], { group_by: "item", compute })), []);
	});

	test("distinguishes the group of a number from that of the same text", async () => {
		const output = await runForOutput(
			...runOverList("aggregate", [1, "1", 1, [1], null], { group_by: "item", compute: { n: "count()" } }),
		);
		assert.deepEqual(output, [
			{ key: 1, n: 2 },
			{ key: "1", n: 1 },
			{ key: [1], n: 1 },
			{ key: null, n: 1 },
		]);
	});

	test("group sums add up to the total, and min and max agree with sort", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 30 }),
				async (list) => {
					const groups = (await runForOutput(
						...runOverList("aggregate", list, { group_by: "item % 3", compute: { sum: "sum(item)" } }),
					)) as { sum: number }[];
					const whole = (await runForOutput(...runOverList("aggregate", list, { compute }))) as Record<
						string,
						Json
					>;
					const sorted = (await runForOutput(...runOverList("sort", list, { by: "item" }))) as Json[];
					assert.equal(
						groups.reduce((total, { sum }) => total + sum, 0),
						whole.sum,
					);
					assert.deepEqual([whole.min, whole.max], [sorted[0], sorted.at(-1)]);
				},
			),
			{ numRuns: 30 },
		);
	});

	test("rejects a value named key together with group_by", async () => {
		const refused = runOverList("aggregate", [], { group_by: "item", compute: { key: "count()" } });
		assert.match(await runForError(...refused), /"compute.key" is reserved for the group/);
		assert.deepEqual(await runForOutput(...runOverList("aggregate", [1], { compute: { key: "count()" } })), {
			key: 1,
		});
	});
});

describe("merge", () => {
	const runMerge = (values: Json) =>
		["merge", { values: "{{input.values}}" }, { input: { values } }] as const;

	test("keeps any key as data, and the last value of each", async () => {
		const key = fc.oneof(fc.constantFrom("__proto__", "constructor", "toString", "1", ""), fc.string());
		const object = fc.array(fc.tuple(key, fc.integer()), { maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 4 }), async (lists) => {
				const objects = lists.map((entries) => Object.fromEntries(entries) as { [key: string]: Json });
				const merged = (await runForOutput(...runMerge(objects))) as { [key: string]: Json };
				const expected = new Map(objects.flatMap((object) => Object.entries(object)));
				assert.deepEqual(new Map(Object.entries(merged)), expected);
				assert.equal(Object.getPrototypeOf(merged), Object.prototype);
			}),
			{ numRuns: 100 },
		);
		assert.equal(({} as Record<string, unknown>).polluted, undefined);
	});

	test("keeps __proto__ as a key, also when it holds an object", async () => {
		const hostile = JSON.parse('{"__proto__": {"polluted": true}}') as Json;
		const merged = await runForOutput(...runMerge([{ a: 1 }, hostile]));
		assert.equal(JSON.stringify(merged), '{"a":1,"__proto__":{"polluted":true}}');
	});

	test("does not merge nested values", async () => {
		assert.deepEqual(await runForOutput(...runMerge([{ a: { x: 1 } }, { a: { y: 2 } }])), { a: { y: 2 } });
		assert.deepEqual(await runForOutput(...runMerge([[[1]], [2]])), [[1], 2]);
	});

	test("rejects values that are neither objects nor lists, and an empty list", async () => {
		assert.equal(await runForError(...runMerge([null, {}])), "values[0] is null, not an object or a list");
		assert.match(
			await runForError(...runMerge([{}, "a"])),
			/values\[1\] is text and values\[0\] is an object/,
		);
		assert.match(await runForError(...runMerge([])), /must not be empty/);
	});

	test("fails before a list that is referenced many times fills the memory", async () => {
		const long = Array.from({ length: 50_000 }, () => 0);
		const values = Array.from({ length: 100 }, () => "{{input.long}}");
		assert.match(await runForError("merge", { values }, { input: { long } }), /at most 600000 are merged/);
	});
});
