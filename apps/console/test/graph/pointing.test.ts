import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DirectedGraph } from "graphology";
import type { Place } from "../../src/pages/graph/placing.ts";
import { findLineAt, findNodeAt } from "../../src/pages/graph/pointing.ts";

/** Two pixels per graph unit. Nodes have a radius of ten pixels, the lowest one of one pixel. */
function createView(hidden: readonly string[] = []) {
	const graph = new DirectedGraph<Place>();
	for (const [key, x, y] of [
		["left", 0, 0],
		["right", 100, 0],
		["beside", 104, 0],
		["below", 0, 100],
	] as const)
		graph.addNode(key, { x, y, name: key });
	graph.addDirectedEdgeWithKey("along", "left", "right");
	graph.addDirectedEdgeWithKey("down", "left", "below");
	const look = (key: string) => ({ size: key === "below" ? 1 : 10, hidden: hidden.includes(key) });
	const view = {
		viewportToGraph: ({ x, y }: { x: number; y: number }) => ({ x: x / 2, y: y / 2 }),
		getGraphToViewportRatio: () => 2,
		scaleSize: (size = 1) => size,
		getNodeDisplayData: look,
		getEdgeDisplayData: look,
	} as unknown as Parameters<typeof findNodeAt>[0];
	return {
		node: (x: number, y: number) => findNodeAt(view, graph, { x, y }),
		line: (x: number, y: number) => findLineAt(view, graph, { x, y }),
	};
}

describe("hit testing", () => {
	test("finds a node within its disc but not beside it", () => {
		assert.equal(createView().node(7, 7), "left");
		assert.equal(createView().node(8, 8), null);
		assert.equal(createView().node(11, 0), null);
	});

	test("finds a small node a few pixels beside it", () => {
		assert.equal(createView().node(3, 200), "below");
		assert.equal(createView().node(5, 200), null);
	});

	test("finds the nearer of two overlapping nodes", () => {
		assert.equal(createView().node(203, 0), "right");
		assert.equal(createView().node(205, 0), "beside");
	});

	test("finds a line a few pixels beside it but not beyond its ends", () => {
		assert.equal(createView().line(100, 3), "along");
		assert.equal(createView().line(100, 5), null);
		assert.equal(createView().line(-5, 0), null);
	});

	test("finds the nearest of several lines", () => {
		assert.equal(createView().line(3, 2), "along");
		assert.equal(createView().line(2, 3), "down");
	});

	test("ignores hidden nodes and lines", () => {
		assert.equal(createView(["left"]).node(0, 0), null);
		assert.equal(createView(["right"]).node(200, 0), "beside");
		assert.equal(createView(["along"]).line(100, 0), null);
	});
});
