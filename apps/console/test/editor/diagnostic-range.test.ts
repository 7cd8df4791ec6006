import assert from "node:assert/strict";
import { test } from "node:test";
import { findTokenRange } from "../../src/editor/diagnostic-range.ts";

const getMarked = (line: string, column?: number): string => {
	const { from, to } = findTokenRange(line, column);
	return line.slice(from, to);
};

test("marks a triplet part including spaces", () => {
	assert.equal(getMarked("  - big order >> than now >> b", 18), "than now");
	assert.equal(getMarked("  - big order >> than >> b", 5), "big order");
});

test("marks a key without its colon", () => {
	assert.equal(getMarked("    txt: hello", 5), "txt");
});

test("marks a quoted text as a whole", () => {
	assert.equal(getMarked('    text: "a: \\" b" # c', 11), '"a: \\" b"');
});

test("marks a reference up to its braces", () => {
	assert.equal(getMarked('    text: "{{totl.sum}}"', 14), "totl.sum");
});

test("marks a place in code, inside a block of text", () => {
	assert.equal(getMarked("      const r = await fetch(1, {});", 23), "fetch(1");
	assert.equal(getMarked("      if (a {", 13), "{");
});

test("marks the line without its indentation if there is no column", () => {
	assert.equal(getMarked("    text: x  "), "text: x");
});

test("marks nothing beyond the end of the line", () => {
	assert.deepEqual(findTokenRange("ab", 9), { from: 2, to: 2 });
});
