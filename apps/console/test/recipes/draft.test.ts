import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
	describeAt,
	listOthers,
	pickFreeKey,
	renameKey,
	setField,
} from "../../src/pages/recipes/edit/draft.ts";

describe("a draft of a recipe", () => {
	it("keeps the order of what is renamed", () => {
		assert.deepEqual(Object.keys(renameKey({ a: 1, b: 2, c: 3 }, "b", "d")), ["a", "d", "c"]);
	});

	it("loses only the field that is removed", () => {
		assert.deepEqual(setField({ a: 1, b: 2 }, "a", undefined), { b: 2 });
		assert.deepEqual(setField({ a: 1 }, "b", null), { a: 1, b: null });
	});

	it("gets names that are free", () => {
		assert.equal(pickFreeKey({}, "operation"), "operation");
		assert.equal(pickFreeKey({ operation: 1, operation_2: 1 }, "operation"), "operation_3");
	});
});

describe("problems of a recipe", () => {
	const issues = [
		{ path: "base_url", message: "must be a URL" },
		{ path: "operations.list.path", message: 'uses "id"' },
		{ path: "operations.list.params.properties", message: "is wrong" },
		{ path: "operations.list.headers.accept", message: "is wrong" },
		{ path: "operations.lists", message: "has a bad name" },
		{ path: "", message: "is too large" },
	];

	it("are told at their field, with the place in it", () => {
		assert.equal(describeAt(issues, "base_url"), "must be a URL");
		assert.equal(describeAt(issues, "operations.list.params"), "properties is wrong");
		assert.equal(describeAt(issues, "operations.list.query"), null);
	});

	it("are told at the top if no field shows them", () => {
		assert.deepEqual(
			listOthers(issues, { operations: { list: {} } }).map(({ path }) => path),
			["operations.list.headers.accept", "operations.lists", ""],
		);
	});
});
