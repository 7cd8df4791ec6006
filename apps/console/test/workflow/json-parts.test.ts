import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { childrenOf, isOpenAtFirst, preview } from "../../src/pages/workflow/run/json-parts.ts";

describe("a value in a tree", () => {
	it("has its elements by place", () => assert.deepEqual(childrenOf(["a"]), [["0", "a"]]));
	it("has nothing within a plain value", () => assert.equal(childrenOf("text"), null));
	it("is told shortly when it is closed", () =>
		assert.equal(preview({ a: 1, b: { c: 2 }, d: [] }), "a: 1, b: {…}, d: […]"));
	it("keeps the short form short", () => assert.ok(preview(Array(100).fill("a long text")).length < 70));
	it("opens the first levels", () =>
		assert.deepEqual(
			[isOpenAtFirst({}, 0), isOpenAtFirst([1], 2), isOpenAtFirst([1], 3)],
			[true, true, false],
		));
	it("does not open a long list within", () => assert.equal(isOpenAtFirst(Array(50).fill(0), 1), false));
});
