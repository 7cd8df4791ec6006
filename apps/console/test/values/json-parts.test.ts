import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildPreview, isOpenAtFirst, listChildren } from "../../src/values/json-parts.ts";

describe("value in a JSON tree", () => {
	it("lists array elements by index", () => assert.deepEqual(listChildren(["a"]), [["0", "a"]]));
	it("has no children for a scalar", () => assert.equal(listChildren("text"), null));
	it("shows a preview when collapsed", () =>
		assert.equal(buildPreview({ a: 1, b: { c: 2 }, d: [] }), "a: 1, b: {…}, d: […]"));
	it("limits the length of the preview", () =>
		assert.ok(buildPreview(Array(100).fill("a long text")).length < 70));
	it("expands the first levels", () =>
		assert.deepEqual(
			[isOpenAtFirst({}, 0), isOpenAtFirst([1], 2), isOpenAtFirst([1], 3)],
			[true, true, false],
		));
	it("does not expand a long nested list", () => assert.equal(isOpenAtFirst(Array(50).fill(0), 1), false));
});
