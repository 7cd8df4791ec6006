import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Graph } from "../../src/api/types.ts";
import { buildDrawn } from "../../src/pages/workflow/graph/drawn.ts";
import { buildCurve, layOut, layouts } from "../../src/pages/workflow/graph/layout.ts";

const nodes = (ids: string) => ids.split(" ").map((id) => ({ id, component: "set", params: {} }));
const chain: Graph = {
	nodes: nodes("a b c d e f"),
	edges: ["ab", "bc", "cd", "de", "ef"].map((pair) => ({
		from: pair[0] ?? "",
		to: pair[1] ?? "",
		on: "ON_SUCCESS",
	})),
};
const none = () => "";

describe("layout of a graph", () => {
	it("goes from left to right", () => {
		const places = layOut(buildDrawn(chain), "LR", none).nodes;
		assert.ok((places.get("input")?.x ?? 0) < (places.get("a")?.x ?? 0));
		assert.ok((places.get("a")?.x ?? 0) < (places.get("f")?.x ?? 0));
	});

	it("goes down in a narrow view", () =>
		assert.equal(layouts(buildDrawn(chain), none)({ width: 320, height: 600 }).direction, "TB"));

	it("goes across if it fits", () =>
		assert.equal(layouts(buildDrawn(chain), none)({ width: 2000, height: 600 }).direction, "LR"));

	it("is computed once per direction", () => {
		const layoutFor = layouts(buildDrawn(chain), none);
		assert.equal(layoutFor({ width: 2000, height: 600 }), layoutFor({ width: 1900, height: 500 }));
	});

	it("places a loop's body inside its box", () => {
		const graph: Graph = {
			nodes: nodes("list each"),
			edges: [{ from: "list", to: "each", on: "FOREACH", as: "x" }],
		};
		const { loops, nodes: places } = layOut(buildDrawn(graph), "LR", none);
		const [box] = loops.values();
		const [inside, outside] = [places.get("each"), places.get("list")];
		assert.ok(box && inside && outside && inside.x > box.x && inside.x + inside.width < box.x + box.width);
		assert.ok(outside.x + outside.width < box.x);
	});

	it("draws loops that overlap by mistake", () => {
		const edges: Graph["edges"] = [
			{ from: "a", to: "c", on: "FOREACH", as: "x" },
			{ from: "b", to: "c", on: "FOREACH", as: "y" },
			{ from: "c", to: "d", on: "ON_SUCCESS" },
		];
		assert.equal(layOut(buildDrawn({ nodes: nodes("a b c d"), edges }), "LR", none).nodes.size, 5);
	});

	it("accepts any node name", () => {
		const graph: Graph = { nodes: nodes("__proto__ constructor"), edges: [] };
		assert.equal(layOut(buildDrawn(graph), "TB", none).nodes.size, 3);
	});

	it("draws a line from its first point to its last", () => {
		const points = [
			{ x: 0, y: 0 },
			{ x: 10, y: 10 },
			{ x: 20, y: 0 },
		];
		assert.match(buildCurve(points), /^M0,0C.*L20,0$/);
	});
});
