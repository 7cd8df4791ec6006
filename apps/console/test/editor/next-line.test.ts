import assert from "node:assert/strict";
import { test } from "node:test";
import { nextLine } from "../../src/editor/next-line.ts";

const after = (line: string) => nextLine(line, line.length);

test("after a triplet another one begins", () => {
	assert.deepEqual(after("  - a >> then >> b"), { text: "  - ", isInPlace: false });
});

test("an item that stays empty ends the list", () => {
	assert.deepEqual(after("  - "), { text: "", isInPlace: true });
});

test("after a key without a value its content is deeper", () => {
	assert.deepEqual(after("  total:"), { text: "    ", isInPlace: false });
	assert.deepEqual(after("    code: |"), { text: "      ", isInPlace: false });
	assert.deepEqual(after("triplets:"), { text: "  - ", isInPlace: false });
});

test("after a value, and within a line, it goes on as before", () => {
	assert.equal(after("    text: hello"), null);
	assert.equal(nextLine("  - a >> then >> b", 6), null);
});
