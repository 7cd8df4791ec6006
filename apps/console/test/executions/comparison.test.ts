import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KeptNode } from "../../src/api/types.ts";
import { compareRuns, type Side } from "../../src/pages/executions/data/comparison.ts";
import { compareValues } from "../../src/values/compare.ts";
import type { Json } from "../../src/values/json-parts.ts";

const node = (id: string, output: Json, more: Partial<KeptNode> = {}): KeptNode => ({
	id,
	place: "",
	attempt: 1,
	status: "success",
	input: { json: {} },
	output: { json: output },
	...more,
});
const side = (nodes: readonly KeptNode[], more: Partial<Side> = {}): Side => ({
	input: { json: {} },
	nodes: [...nodes],
	isWhole: true,
	...more,
});
const list = (one: Side, other: Side) =>
	compareRuns(one, other).map(({ node: name, place, result }) => `${name ?? "input"}${place} ${result}`);

describe("two values", () => {
	it("differ at the places where keys or elements differ", () =>
		assert.deepEqual(compareValues({ a: [1, 2], b: "x", c: 1 }, { a: [1, 3, 4], b: "x", d: 1 }, 50), [
			{ steps: ["a", 1], one: 2, other: 3 },
			{ steps: ["a", 2], one: undefined, other: 4 },
			{ steps: ["c"], one: 1, other: undefined },
			{ steps: ["d"], one: undefined, other: 1 },
		]));
	it("differ as a whole if one is a list and the other is not", () =>
		assert.deepEqual(compareValues([], {}, 50), [{ steps: [], one: [], other: {} }]));
	it("do not differ in the order of keys", () =>
		assert.deepEqual(compareValues({ a: 1, b: 2 }, { b: 2, a: 1 }, 50), []));
	it("have at most so many differences listed", () =>
		assert.equal(compareValues(Array(100).fill(1), Array(100).fill(2), 50).length, 50));
});

describe("two runs", () => {
	it("list what differs first, in the order of the run", () =>
		assert.deepEqual(
			list(
				side([node("a", 1), node("b", 1), node("c", 1)]),
				side([node("a", 1), node("b", 2), node("c", 2)]),
			),
			["b differs", "c differs", "input same", "a same"],
		));
	it("are compared by the places of loops, however they were ordered", () => {
		const at = (place: string, output: number) => node("a", output, { place });
		assert.deepEqual(list(side([at("0", 1), at("1", 2)]), side([at("1", 2), at("0", 3)])), [
			"a0 differs",
			"input same",
			"a1 same",
		]);
	});
	it("list nodes that only one of them has", () =>
		assert.deepEqual(list(side([node("a", 1)]), side([node("b", 1)])), [
			"a only_one",
			"b only_other",
			"input same",
		]));
	it("say nothing of nodes that may be among those not read", () =>
		assert.deepEqual(list(side([node("a", 1)]), side([node("b", 1)], { isWhole: false })), [
			"b only_other",
			"input same",
		]));
	it("are compared by the last attempts", () => {
		const failed = node("a", null, { status: "retried", error: "busy" });
		assert.deepEqual(list(side([failed, node("a", 1, { attempt: 2 })]), side([node("a", 1)])), [
			"input same",
			"a same",
		]);
	});
	it("differ in status and error", () => {
		const [first] = compareRuns(
			side([node("a", 1)]),
			side([{ id: "a", place: "", attempt: 1, status: "failed", error: "no", input: { json: {} } }]),
		);
		assert.deepEqual(
			first?.differences.map(({ part, one, other }) => [part, one, other]),
			[
				["status", "success", "failed"],
				["error", undefined, "no"],
				["gave", 1, undefined],
			],
		);
	});
	it("say that values were compared only as far as they are kept", () => {
		const cut = { output: { text: '"aaa', bytes: 100_000 } };
		const [, same] = compareRuns(side([node("a", 1, cut)]), side([node("a", 1, cut)]));
		assert.deepEqual([same?.result, same?.isCut], ["same", true]);
		const longer = { output: { text: '"aaa', bytes: 100_001 } };
		const [first] = compareRuns(side([node("a", 1, cut)]), side([node("a", 1, longer)]));
		assert.equal(first?.result, "differs");
	});
});
