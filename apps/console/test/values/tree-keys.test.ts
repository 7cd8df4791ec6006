import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { moveInTree } from "../../src/values/tree-keys.ts";
import { INITIAL_STATE, listRows, setOpen } from "../../src/values/tree-rows.ts";

/** The whole, `a` with its element, and `b`, which is closed. */
const rows = listRows({ a: [1], b: [2] }, setOpen(INITIAL_STATE, '["b"]', false), null);
const ROOT = "[]";
const A = '["a"]';
const ELEMENT = '["a",0]';
const B = '["b"]';
const press = (id: string, key: string) =>
	moveInTree(
		rows,
		rows.findIndex((row) => row.id === id),
		key,
	);

describe("keys in a tree", () => {
	it("move up, down, to the start and to the end", () => {
		assert.deepEqual([press(ROOT, "ArrowDown"), press(B, "ArrowUp")], [A, ELEMENT]);
		assert.deepEqual([press(A, "Home"), press(A, "End")], [ROOT, B]);
		assert.deepEqual([press(ROOT, "ArrowUp"), press(B, "ArrowDown")], [null, null]);
	});
	it("open a closed value with the right arrow, and enter an open one", () =>
		assert.deepEqual([press(B, "ArrowRight"), press(A, "ArrowRight")], ["activate", ELEMENT]));
	it("close an open value with the left arrow, and leave a closed one", () =>
		assert.deepEqual(
			[press(A, "ArrowLeft"), press(ELEMENT, "ArrowLeft"), press(B, "ArrowLeft")],
			["activate", A, ROOT],
		));
	it("open and close with Enter and Space, where there is something to open", () =>
		assert.deepEqual(
			[press(A, "Enter"), press(B, " "), press(ELEMENT, "Enter")],
			["activate", "activate", null],
		));
	it("leave all other keys to the page", () => assert.equal(press(A, "Tab"), null));
});
