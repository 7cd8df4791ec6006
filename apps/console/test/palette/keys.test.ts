import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "../../src/shell/palette-keys.ts";

test("waits for a second key after g", () => assert.deepEqual(stepOf("g", false), { does: "wait" }));

test("opens the page of the second key", () => {
	assert.deepEqual(stepOf("w", true), { go: "workflows" });
	assert.deepEqual(stepOf("g", true), { go: "graph" });
});

test("ignores other second keys and inherited object properties", () => {
	assert.equal(stepOf("x", true), null);
	assert.equal(stepOf("constructor", true), null);
});

test("opens the help with a question mark", () => assert.deepEqual(stepOf("?", false), { does: "help" }));

test("ignores a single letter", () => assert.equal(stepOf("w", false), null));
