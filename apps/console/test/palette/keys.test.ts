import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveKey } from "../../src/shell/palette-keys.ts";

test("waits for a second key after g", () => assert.deepEqual(resolveKey("g", false), { does: "wait" }));

test("opens the page of the second key", () => {
	assert.deepEqual(resolveKey("w", true), { go: "/workflows" });
	assert.deepEqual(resolveKey("g", true), { go: "/graph" });
});

test("ignores other second keys and inherited object properties", () => {
	assert.equal(resolveKey("x", true), null);
	assert.equal(resolveKey("constructor", true), null);
});

test("opens the help with a question mark", () => assert.deepEqual(resolveKey("?", false), { does: "help" }));

test("ignores a single letter", () => assert.equal(resolveKey("w", false), null));
