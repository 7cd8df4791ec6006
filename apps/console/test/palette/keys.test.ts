import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "../../src/shell/palette-keys.ts";

test("g waits for a second key", () => assert.deepEqual(stepOf("g", false), { does: "wait" }));

test("the second key says the place", () => {
	assert.deepEqual(stepOf("w", true), { go: "workflows" });
	assert.deepEqual(stepOf("g", true), { go: "graph" });
});

test("another second key, or a name of every object, is nothing", () => {
	assert.equal(stepOf("x", true), null);
	assert.equal(stepOf("constructor", true), null);
});

test("a question mark asks for the list", () => assert.deepEqual(stepOf("?", false), { does: "help" }));

test("a letter by itself is nothing", () => assert.equal(stepOf("w", false), null));
