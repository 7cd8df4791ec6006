import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExecutionRecord, Executions } from "../../src/api/types.ts";
import { addNews, addPage, findNews, NOTHING } from "../../src/pages/executions/listed.ts";

const record = (id: string): ExecutionRecord => ({
	id,
	time: "2026-06-01T12:00:00Z",
	workflow: "greet",
	verdict: "success",
	duration_ms: 1,
	error: "",
	target: null,
	trigger: null,
});
const page = (ids: string, next_cursor: string | null): Executions => ({
	executions: [...ids].map(record),
	next_cursor,
});
const listIds = ({ items }: { readonly items: readonly ExecutionRecord[] }) =>
	items.map(({ id }) => id).join("");

test("appends pages until there is no cursor", () => {
	const listed = addPage(addPage(NOTHING, page("abc", "next")), page("de", null));
	assert.equal(listIds(listed), "abcde");
	assert.equal(listed.cursor, null);
	assert.equal(listed.pages, 2);
});

test("moves only the cursor for an empty page", () => {
	const listed = addPage(addPage(NOTHING, page("a", "one")), page("", "two"));
	assert.deepEqual([listIds(listed), listed.cursor], ["a", "two"]);
});

test("lists a record once if it moved to the next page", () => {
	assert.equal(listIds(addPage(addPage(NOTHING, page("abc", "next")), page("cd", null))), "abcd");
});

test("puts new records first and keeps the cursor", () => {
	const listed = addPage(NOTHING, page("cd", "next"));
	const news = findNews(listed, page("abcd", "other"));
	assert.deepEqual([news.count, news.hasGap], [2, false]);
	assert.deepEqual([listIds(addNews(listed, news)), addNews(listed, news).cursor], ["abcd", "next"]);
});

test("replaces the list if a whole page is new", () => {
	const listed = addPage(NOTHING, page("yz", "old"));
	const news = findNews(listed, page("abc", "fresh"));
	assert.equal(news.hasGap, true);
	assert.deepEqual([listIds(addNews(listed, news)), addNews(listed, news).cursor], ["abc", "fresh"]);
});

test("has no gap for the first records", () => {
	const news = findNews(addPage(NOTHING, page("", null)), page("ab", null));
	assert.deepEqual([news.count, news.hasGap], [2, false]);
});

test("finds nothing new in the same page", () => {
	assert.equal(findNews(addPage(NOTHING, page("ab", null)), page("ab", null)).count, 0);
});
