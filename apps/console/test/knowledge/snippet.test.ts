import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf, previewOf } from "../../src/pages/knowledge/snippet.ts";

const shown = (text: string, matches: { start: number; end: number }[]) =>
	piecesOf(text, matches)
		.map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
		.join("");

test("a snippet is cut where it matches", () => {
	assert.equal(
		shown("steel gear requires a gear", [
			{ start: 6, end: 10 },
			{ start: 22, end: 26 },
		]),
		"steel [gear] requires a [gear]",
	);
});

test("ranges that overlap, are out of order or reach past the end lose no text", () => {
	assert.equal(
		shown("gears", [
			{ start: 3, end: 9 },
			{ start: 0, end: 4 },
		]),
		"[gear][s]",
	);
});

test("a snippet without matches is one piece", () => {
	assert.deepEqual(piecesOf("tea", []), [{ at: 0, text: "tea", isMatch: false }]);
});

test("a preview is one line and short", () => {
	assert.equal(previewOf("  Green\n\n tea "), "Green tea");
	assert.equal(previewOf("x".repeat(10_000)).length, 200);
});
