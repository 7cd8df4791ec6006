import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findNeighbour } from "../../src/pages/workflow/graph/neighbour.ts";
import { besidePanel, firstView, revealBox } from "../../src/pages/workflow/graph/viewport.ts";

const box = (x: number, y: number) => ({ x, y, width: 100, height: 50 });
const createLayout = (width: number, height: number) => ({
	direction: "LR" as const,
	nodes: new Map([["input", box(16, 0)]]),
	loops: new Map(),
	edges: new Map(),
	width,
	height,
});

describe("viewport of a graph", () => {
	it("centres a small graph without enlarging it", () =>
		assert.deepEqual(firstView(createLayout(200, 100), { width: 400, height: 300 }), {
			zoom: 1,
			x: 100,
			y: 100,
		}));

	it("shows the start of a graph that would be unreadable", () => {
		const { zoom, x } = firstView(createLayout(9000, 100), { width: 400, height: 300 });
		assert.equal(zoom, 0.75);
		assert.equal(x + 16 * zoom, 24);
	});

	it("does not move if the node is visible", () =>
		assert.equal(revealBox({ x: 0, y: 0, zoom: 1 }, box(100, 100), { width: 400, height: 300 }), null));

	it("moves as little as necessary to show a node", () =>
		assert.deepEqual(revealBox({ x: 0, y: 0, zoom: 1 }, box(500, 100), { width: 400, height: 300 }), {
			x: -224,
			y: 0,
			zoom: 1,
		}));

	it("leaves room for the panel at the side of a wide view, else below", () =>
		assert.deepEqual(
			[besidePanel({ width: 1000, height: 500 }), besidePanel({ width: 500, height: 500 })],
			[
				{ width: 670, height: 500 },
				{ width: 500, height: 250 },
			],
		));
});

describe("arrow keys in a graph", () => {
	const boxes = new Map([
		["left", box(0, 100)],
		["right", box(200, 110)],
		["above", box(210, 0)],
		["far", box(900, 100)],
	]);

	it("go to the nearest node ahead", () => assert.equal(findNeighbour(boxes, "left", "ArrowRight"), "right"));
	it("go up", () => assert.equal(findNeighbour(boxes, "right", "ArrowUp"), "above"));
	it("do nothing if there is no node in that direction", () =>
		assert.equal(findNeighbour(boxes, "left", "ArrowLeft"), null));
	it("ignore other keys", () => assert.equal(findNeighbour(boxes, "left", "Enter"), null));
});
