import assert from "node:assert/strict";
import { test } from "node:test";
import type { Settings } from "sigma/settings";
import type { Colours } from "../../src/pages/graph/colours.ts";
import { nameDrawing, shortenName } from "../../src/pages/graph/drawing.ts";

/** Collects the text drawn on a canvas 400 pixels wide, with every character 10 pixels wide. */
function collectDrawn(t: { after(done: () => void): void }) {
	Object.assign(globalThis, { devicePixelRatio: 1 });
	t.after(() => Reflect.deleteProperty(globalThis, "devicePixelRatio"));
	const written: [string, number][] = [];
	const context = {
		canvas: { width: 400, height: 400 },
		measureText: (text: string) => ({ width: text.length * 10 }),
		strokeText: () => {},
		fillText: (text: string, left: number) => written.push([text, left]),
	} as unknown as CanvasRenderingContext2D;
	const names = nameDrawing(() => ({}) as Colours);
	const draw = (label: string, x: number, y: number, more = {}) =>
		names.draw(context, { key: label, label, x, y, size: 6, color: "", ...more }, {
			labelSize: 12,
		} as Settings);
	return { begin: names.begin, draw, written };
}

test("does not draw overlapping names except forced ones, and resets in each frame", (t) => {
	const { begin, draw, written } = collectDrawn(t);
	draw("first", 0, 100);
	draw("over it", 20, 105);
	draw("below", 0, 120);
	draw("start", 20, 100, { forceLabel: true });
	begin();
	draw("over it", 20, 105);
	assert.deepEqual(
		written.map(([name]) => name),
		["first", "below", "start", "over it"],
	);
});

test("draws a name right of its node, or left of it at the canvas edge", (t) => {
	const { draw, written } = collectDrawn(t);
	draw("name", 100, 0);
	draw("name", 390, 100);
	assert.deepEqual(written, [
		["name", 110],
		["name", 340],
	]);
});

test("cuts a long name between characters", () => {
	assert.equal(shortenName("a".repeat(40)).length, 40);
	assert.equal([...shortenName("👩".repeat(50))].length, 40);
});
