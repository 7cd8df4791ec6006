import assert from "node:assert/strict";
import { test } from "node:test";
import { nextLine } from "../../src/editor/next-line.ts";

const after = (line: string) => nextLine(line, line.length);

test("starts another triplet after a triplet", () => {
	assert.deepEqual(after("  - a >> then >> b"), { text: "  - ", isInPlace: false });
});

test("ends the list after an empty item", () => {
	assert.deepEqual(after("  - "), { text: "", isInPlace: true });
});

test("indents after a key without a value", () => {
	assert.deepEqual(after("  total:"), { text: "    ", isInPlace: false });
	assert.deepEqual(after("    code: |"), { text: "      ", isInPlace: false });
	assert.deepEqual(after("triplets:"), { text: "  - ", isInPlace: false });
});

test("keeps the default behaviour after a value and within a line", () => {
	assert.equal(after("    text: hello"), null);
	assert.equal(nextLine("  - a >> then >> b", 6), null);
});
