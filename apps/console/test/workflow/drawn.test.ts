import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Graph } from "../../src/api/types.ts";
import { buildDrawn } from "../../src/pages/workflow/graph/drawn.ts";

const graph = (nodes: string, edges: Graph["edges"]): Graph => ({
	nodes: nodes.split(" ").map((id) => ({ id, component: "set", params: {} })),
	edges,
});

describe("drawable graph", () => {
	it("connects a node without incoming edges to the trigger", () => {
		const { edges } = buildDrawn(graph("a b", [{ from: "a", to: "b", on: "ON_SUCCESS" }]));
		assert.deepEqual(
			edges.map(({ from, to, isImplied }) => [from, to, isImplied]),
			[
				["input", "a", true],
				["a", "b", false],
			],
		);
	});

	it("drops an edge to an unknown node", () =>
		assert.equal(buildDrawn(graph("a", [{ from: "a", to: "gone", on: "ON_FAIL" }])).edges.length, 1));

	it("finds a loop's body without the nodes after the loop", () => {
		const { loops } = buildDrawn(
			graph("list each more after", [
				{ from: "list", to: "each", on: "FOREACH", as: "item" },
				{ from: "each", to: "more", on: "ON_SUCCESS" },
				{ from: "list", to: "after", on: "ON_SUCCESS" },
			]),
		);
		assert.deepEqual(
			loops.map(({ subject, name, nodes }) => [subject, name, ...nodes]),
			[["list", "item", "each", "more"]],
		);
	});

	it("finds the body of a REPEAT", () => {
		const { loops } = buildDrawn(
			graph("poll check after", [
				{ from: "poll", to: "check", on: "REPEAT", as: "turn" },
				{ from: "poll", to: "after", on: "ON_SUCCESS" },
			]),
		);
		assert.deepEqual(
			loops.map(({ on, subject, name, nodes }) => [on, subject, name, ...nodes]),
			[["REPEAT", "poll", "turn", "check"]],
		);
	});

	it("nests a loop inside its outer loop", () => {
		const { loops, loopByNode: loopOf } = buildDrawn(
			graph("outer inner deep", [
				{ from: "outer", to: "inner", on: "FOREACH", as: "one" },
				{ from: "inner", to: "deep", on: "FOREACH", as: "two" },
			]),
		);
		const [first, second] = loops;
		assert.equal(second?.parent, first?.id);
		assert.deepEqual([loopOf.get("inner"), loopOf.get("deep")], [first?.id, second?.id]);
	});

	it("terminates with cycles", () => {
		const { loops } = buildDrawn(
			graph("a b", [
				{ from: "a", to: "b", on: "FOREACH", as: "x" },
				{ from: "b", to: "a", on: "ON_SUCCESS" },
			]),
		);
		assert.deepEqual([...(loops[0]?.nodes ?? [])], ["b", "a"]);
	});
});
