import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { computeRetryAt, readPolledItems, remember } from "../src/domain/poll-state.ts";

const poll = { operation: "shop.list", key: "id" };

describe("the items of a poll", () => {
	const listKeys = (output: Json, more: object = {}) => {
		const items = readPolledItems(output, { ...poll, ...more });
		return "problem" in items ? items.problem : items.map(({ key }) => key);
	};

	test("come oldest first, whatever the order of the list", () => {
		const output = [{ id: 3 }, { id: "2" }, { id: 1 }];
		assert.deepEqual(listKeys(output), ["1", "2", "3"]);
		assert.deepEqual(listKeys(output, { order: "oldest_first" }), ["3", "2", "1"]);
	});

	test("are at a path, which is data for http_request", () => {
		assert.deepEqual(listKeys({ rows: [{ id: 1 }] }, { items: "rows" }), ["1"]);
		assert.deepEqual(listKeys({ data: [{ id: 1 }] }, { operation: "http_request" }), ["1"]);
		assert.deepEqual(listKeys({ data: { a: [{ id: 1 }] } }, { operation: "http_request", items: "data.a" }), [
			"1",
		]);
	});

	test("count once if they are listed twice", () => {
		assert.deepEqual(listKeys([{ id: 2 }, { id: 1 }, { id: 2 }]), ["1", "2"]);
	});

	test("may be none", () => assert.deepEqual(listKeys([]), []));

	test("need a key each, and must be few enough to be remembered", () => {
		assert.equal(listKeys([{ id: null }]), "id of item 0 must be text or a number, but is null");
		assert.equal(listKeys([{ id: 1 }, 7]), "item 1 must be an object, but is a number");
		assert.equal(
			listKeys({ data: [] }),
			"the operation must return a list, but returned an object: set items to the path of the list",
		);
		const many = Array.from({ length: 10_001 }, (_, id) => ({ id }));
		assert.equal(listKeys(many), "the list has 10001 items, but at most 10000 can be remembered");
	});
});

test("what was listed last is remembered longest, up to 10,000 keys", () => {
	assert.deepEqual(remember(["c", "b", "a"], ["b", "d"]), ["d", "b", "c", "a"]);
	const full = Array.from({ length: 10_000 }, (_, index) => `k${index}`);
	const after = remember(full, ["new"]);
	assert.deepEqual([after.length, after[0], after.at(-1)], [10_000, "new", "k9998"]);
});

test("a poll that fails is repeated after 1, 2, 4, 8, 16 and 32 minutes, then every hour", () => {
	const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => computeRetryAt(0, failures) / 60_000);
	assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
});
