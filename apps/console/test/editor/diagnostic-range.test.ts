import assert from "node:assert/strict";
import { test } from "node:test";
import { rangeIn } from "../../src/editor/diagnostic-range.ts";

const marked = (line: string, column?: number): string => {
	const { from, to } = rangeIn(line, column);
	return line.slice(from, to);
};

test("marks a triplet part including spaces", () => {
	assert.equal(marked("  - big order >> than now >> b", 18), "than now");
	assert.equal(marked("  - big order >> than >> b", 5), "big order");
});

test("marks a key without its colon", () => {
	assert.equal(marked("    txt: hello", 5), "txt");
});

test("marks a quoted text as a whole", () => {
	assert.equal(marked('    text: "a: \\" b" # c', 11), '"a: \\" b"');
});

test("marks a reference up to its braces", () => {
	assert.equal(marked('    text: "{{totl.sum}}"', 14), "totl.sum");
});

test("marks the line without its indentation if there is no column", () => {
	assert.equal(marked("    text: x  "), "text: x");
});

test("marks nothing beyond the end of the line", () => {
	assert.deepEqual(rangeIn("ab", 9), { from: 2, to: 2 });
});
