import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "../../src/values/json-parts.ts";
import { findMatches, INITIAL_STATE, listRows, setOpen, showMore } from "../../src/values/tree-rows.ts";

const ORDER = { id: 7, lines: [{ name: "tea" }, { name: "pot" }], paid: null };
const show = (value: Json, state = INITIAL_STATE, query = "") =>
	listRows(value, state, query === "" ? null : findMatches(value, query)).map(
		({ level, kind, name, isOpen }) =>
			`${"-".repeat(level)} ${kind === "more" ? "more" : name}${isOpen === undefined ? "" : isOpen ? " open" : " closed"}`,
	);

describe("rows of a tree", () => {
	it("are the visible values in order, with their level", () =>
		assert.deepEqual(show(ORDER), [
			"- null open",
			"-- id",
			"-- lines open",
			"--- 0 open",
			"---- name",
			"--- 1 open",
			"---- name",
			"-- paid",
		]));

	it("leave out what is inside a closed value", () =>
		assert.deepEqual(show(ORDER, setOpen(INITIAL_STATE, '["lines"]', false)), [
			"- null open",
			"-- id",
			"-- lines closed",
			"-- paid",
		]));

	it("have a path of keys and indexes, and a place among their siblings", () => {
		const row = listRows(ORDER, INITIAL_STATE, null)[5];
		assert.deepEqual([row?.steps, row?.position, row?.size], [["lines", 1], 2, 2]);
	});

	it("have nothing to open in an empty value", () =>
		assert.deepEqual(show({ a: [] }), ["- null open", "-- a"]));

	it("show the first hundred of a long list, and more on request", () => {
		const long = Array.from({ length: 700 }, (_, index) => index);
		assert.deepEqual(show(long).slice(100), ["-- 99", "-- more"]);
		const state = showMore(INITIAL_STATE, []);
		assert.equal(show(long, state).length, 602);
		assert.equal(show(long, showMore(state, [])).length, 701);
	});

	it("cut a long text until it is opened", () => {
		const long = { text: "a".repeat(1001) };
		assert.deepEqual(show(long), ["- null open", "-- text closed"]);
		assert.deepEqual(show(long, setOpen(INITIAL_STATE, '["text"]', true)), ["- null open", "-- text open"]);
	});
});

describe("search in a tree", () => {
	it("shows the matches and what is around them", () =>
		assert.deepEqual(show(ORDER, INITIAL_STATE, "POT"), [
			"- null open",
			"-- lines open",
			"--- 1 open",
			"---- name",
		]));

	it("finds keys, whose content can be opened", () => {
		assert.deepEqual(show(ORDER, INITIAL_STATE, "line"), ["- null open", "-- lines closed"]);
		assert.deepEqual(show(ORDER, setOpen(INITIAL_STATE, '["lines"]', true), "line"), [
			"- null open",
			"-- lines open",
			"--- 0 closed",
			"--- 1 closed",
		]);
	});

	it("finds numbers and null, and takes special characters as they are", () => {
		assert.deepEqual(show(ORDER, INITIAL_STATE, "null"), ["- null open", "-- paid"]);
		assert.deepEqual(show(ORDER, INITIAL_STATE, "7"), ["- null open", "-- id"]);
		assert.deepEqual(show({ a: "1+1", b: "11" }, INITIAL_STATE, "1+1"), ["- null open", "-- a"]);
	});

	it("does not count indexes of lists as keys", () =>
		assert.equal(findMatches(["a", "b"], "1").matches.size, 0));
	it("shows nothing if nothing matches", () => assert.deepEqual(show(ORDER, INITIAL_STATE, "cup"), []));
	it("finds matches beyond the first hundred", () =>
		assert.deepEqual(
			show(
				Array.from({ length: 700 }, (_, index) => `item ${index}`),
				INITIAL_STATE,
				"item 650",
			),
			["- null open", "-- 650"],
		));
});
