import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceOf } from "../../src/editor/difference.ts";

test("what is alike on both sides is not changed", () =>
	assert.deepEqual(differenceOf("name: a\nend", "name: bc\nend"), { from: 6, to: 7, insert: "bc" }));

test("of repeated letters none is counted twice", () => {
	assert.deepEqual(differenceOf("aa", "aaa"), { from: 2, to: 2, insert: "a" });
	assert.deepEqual(differenceOf("aaa", "a"), { from: 1, to: 3, insert: "" });
});

test("texts without anything alike are replaced whole", () =>
	assert.deepEqual(differenceOf("abc", "x"), { from: 0, to: 3, insert: "x" }));

test("a text that is the same needs no change", () =>
	assert.deepEqual(differenceOf("same", "same"), { from: 4, to: 4, insert: "" }));
