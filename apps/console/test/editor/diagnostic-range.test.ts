import assert from "node:assert/strict";
import { test } from "node:test";
import { rangeIn } from "../../src/editor/diagnostic-range.ts";

const marked = (line: string, column?: number): string => {
	const { from, to } = rangeIn(line, column);
	return line.slice(from, to);
};

test("a part of a triplet is marked, blanks included", () => {
	assert.equal(marked("  - big order >> than now >> b", 18), "than now");
	assert.equal(marked("  - big order >> than >> b", 5), "big order");
});

test("a key is marked without its colon", () => {
	assert.equal(marked("    txt: hello", 5), "txt");
});

test("a text in quotes is marked whole", () => {
	assert.equal(marked('    text: "a: \\" b" # c', 11), '"a: \\" b"');
});

test("a reference is marked up to its braces", () => {
	assert.equal(marked('    text: "{{totl.sum}}"', 14), "totl.sum");
});

test("without a column the line is marked, without its indentation", () => {
	assert.equal(marked("    text: x  "), "text: x");
});

test("a place behind the end marks nothing and does not fail", () => {
	assert.deepEqual(rangeIn("ab", 9), { from: 2, to: 2 });
});
