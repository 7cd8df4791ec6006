import assert from "node:assert/strict";
import { test } from "node:test";
import { nextLine } from "../../src/editor/next-line.ts";

const continueLine = (line: string) => nextLine(line, line.length);

test("starts another triplet after a triplet", () => {
	assert.deepEqual(continueLine("  - a >> then >> b"), { text: "  - ", isInPlace: false });
});

test("ends the list after an empty item", () => {
	assert.deepEqual(continueLine("  - "), { text: "", isInPlace: true });
});

test("indents after a key without a value", () => {
	assert.deepEqual(continueLine("  total:"), { text: "    ", isInPlace: false });
	assert.deepEqual(continueLine("    code: |"), { text: "      ", isInPlace: false });
	assert.deepEqual(continueLine("triplets:"), { text: "  - ", isInPlace: false });
});

test("keeps the default behaviour after a value and within a line", () => {
	assert.equal(continueLine("    text: hello"), null);
	assert.equal(nextLine("  - a >> then >> b", 6), null);
});
