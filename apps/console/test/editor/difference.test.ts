import assert from "node:assert/strict";
import { test } from "node:test";
import { findDifference } from "../../src/editor/difference.ts";

test("keeps equal text at both ends", () =>
	assert.deepEqual(findDifference("name: a\nend", "name: bc\nend"), { from: 6, to: 7, insert: "bc" }));

test("does not count repeated letters twice", () => {
	assert.deepEqual(findDifference("aa", "aaa"), { from: 2, to: 2, insert: "a" });
	assert.deepEqual(findDifference("aaa", "a"), { from: 1, to: 3, insert: "" });
});

test("replaces completely different texts", () =>
	assert.deepEqual(findDifference("abc", "x"), { from: 0, to: 3, insert: "x" }));

test("makes no change for equal texts", () =>
	assert.deepEqual(findDifference("same", "same"), { from: 4, to: 4, insert: "" }));
