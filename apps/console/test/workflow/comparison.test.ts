import assert from "node:assert/strict";
import { test } from "node:test";
import type { Graph } from "../../src/api/types.ts";
import { compareWithNothing, mergeGraphs } from "../../src/pages/workflow/versions/comparison.ts";

const graph = (nodes: readonly string[], edges: readonly (readonly [string, string])[]): Graph => ({
	nodes: nodes.map((id) => ({ id, component: "set", params: {} })),
	edges: edges.map(([from, to]) => ({ from, to, on: "ON_SUCCESS" })),
});

test("draws removed nodes with their edges in the later graph, and marks every change", () => {
	const before = graph(
		["a", "b", "old"],
		[
			["a", "b"],
			["b", "old"],
		],
	);
	const after = graph(
		["a", "b", "new"],
		[
			["a", "b"],
			["a", "new"],
		],
	);
	const nodes = { added: ["new"], removed: ["old"], changed: ["b"] };
	const { graph: merged, marks } = mergeGraphs(before, after, nodes);
	assert.deepEqual(
		merged.nodes.map(({ id }) => id),
		["a", "b", "new", "old"],
	);
	assert.deepEqual(
		merged.edges.map(({ from, to }) => `${from} ${to}`),
		["a b", "a new", "b old"],
	);
	assert.deepEqual(Object.fromEntries(marks), { new: "added", old: "removed", b: "changed" });
});

test("everything of a first version is added", () => {
	const { hunks, nodes } = compareWithNothing("one\ntwo", graph(["a"], []));
	assert.deepEqual(
		hunks[0]?.lines.map(({ change, text }) => [change, text]),
		[
			["added", "one\n"],
			["added", "two"],
		],
	);
	assert.deepEqual(nodes, { added: ["a"], removed: [], changed: [] });
	assert.equal(compareWithNothing("", null).nodes, null);
});
