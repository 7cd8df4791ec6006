import assert from "node:assert/strict";
import { test } from "node:test";
import { buildPreview, splitPieces } from "../../src/pages/knowledge/snippet.ts";

const describePieces = (text: string, matches: { start: number; end: number }[]) =>
	splitPieces(text, matches)
		.map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
		.join("");

test("splits a snippet at its matches", () => {
	assert.equal(
		describePieces("steel gear requires a gear", [
			{ start: 6, end: 10 },
			{ start: 22, end: 26 },
		]),
		"steel [gear] requires a [gear]",
	);
});

test("keeps all text for overlapping, unordered or excessive ranges", () => {
	assert.equal(
		describePieces("gears", [
			{ start: 3, end: 9 },
			{ start: 0, end: 4 },
		]),
		"[gear][s]",
	);
});

test("returns a snippet without matches as one piece", () => {
	assert.deepEqual(splitPieces("tea", []), [{ at: 0, text: "tea", isMatch: false }]);
});

test("makes a short preview on one line", () => {
	assert.equal(buildPreview("  Green\n\n tea "), "Green tea");
	assert.equal(buildPreview("x".repeat(10_000)).length, 200);
});
