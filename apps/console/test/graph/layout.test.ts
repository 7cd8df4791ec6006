import assert from "node:assert/strict";
import { test } from "node:test";
import { createLayout } from "../../src/pages/graph/layout.ts";
import { findNearest, placeNodes } from "../../src/pages/graph/placing.ts";

test("places new nodes near the node they were reached from, without overlap", () => {
	const links = ["b", "c", "d"].map((target) => ({ source: "a", target }));
	const places = placeNodes(["b", "c", "d"], links, new Map([["a", { x: 1000, y: 0 }]]));
	assert.equal(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size, 3);
	for (const { x, y } of places.values()) assert.ok(Math.hypot(x - 1000, y) < 100);
});

test("places nodes two steps away and nodes without lines", () => {
	const links = [
		{ source: "c", target: "b" },
		{ source: "b", target: "a" },
	];
	const places = placeNodes(["c", "a", "b", "alone"], links, new Map());
	assert.deepEqual([...places.keys()].sort(), ["a", "alone", "b", "c"]);
});

test("keeps settled nodes close to their positions while new ones move", () => {
	const [positions, ends] = [
		new Float32Array([0, 0, 100, 0, 101, 1, 99, -1]),
		new Uint32Array([0, 1, 1, 2, 1, 3]),
	];
	const layout = createLayout({ positions, settled: new Uint8Array([1, 1, 0, 0]), ends });
	for (let more = true; more; ) more = layout.step();
	const after = layout.positions();
	const measureMove = (index: number) =>
		Math.hypot(
			(after[index * 2] as number) - (positions[index * 2] as number),
			(after[index * 2 + 1] as number) - (positions[index * 2 + 1] as number),
		);
	assert.ok(measureMove(0) < 18 && measureMove(1) < 18, `${measureMove(0)} and ${measureMove(1)}`);
	assert.ok(measureMove(2) > 18, `${measureMove(2)}`);
	for (const value of after) assert.ok(Number.isFinite(value));
});

test("finishes the layout", () => {
	const order = 200;
	const positions = Float32Array.from({ length: order * 2 }, (_, index) => Math.sin(index) * 100);
	const ends = Uint32Array.from({ length: (order - 1) * 2 }, (_, index) =>
		index % 2 === 0 ? 0 : (index + 1) / 2,
	);
	const layout = createLayout({ positions, settled: new Uint8Array(order), ends });
	let steps = 1;
	while (layout.step()) steps++;
	assert.ok(steps <= 600);
});

test("finds the nearest node in the direction of an arrow key", () => {
	const points = [
		["right", { x: 50, y: 5 }],
		["far right", { x: 90, y: 0 }],
		["up", { x: 5, y: -30 }],
	] as const;
	assert.equal(findNearest({ x: 0, y: 0 }, "right", points), "right");
	assert.equal(findNearest({ x: 0, y: 0 }, "up", points), "up");
	assert.equal(findNearest({ x: 0, y: 0 }, "left", points), null);
});
