import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExecutionRecord, Executions } from "../../src/api/types.ts";
import { NOTHING, newsIn, withNews, withPage } from "../../src/pages/executions/listed.ts";

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
const idsOf = ({ items }: { readonly items: readonly ExecutionRecord[] }) =>
	items.map(({ id }) => id).join("");

test("appends pages until there is no cursor", () => {
	const listed = withPage(withPage(NOTHING, page("abc", "next")), page("de", null));
	assert.equal(idsOf(listed), "abcde");
	assert.equal(listed.cursor, null);
	assert.equal(listed.pages, 2);
});

test("moves only the cursor for an empty page", () => {
	const listed = withPage(withPage(NOTHING, page("a", "one")), page("", "two"));
	assert.deepEqual([idsOf(listed), listed.cursor], ["a", "two"]);
});

test("lists a record once if it moved to the next page", () => {
	assert.equal(idsOf(withPage(withPage(NOTHING, page("abc", "next")), page("cd", null))), "abcd");
});

test("puts new records first and keeps the cursor", () => {
	const listed = withPage(NOTHING, page("cd", "next"));
	const news = newsIn(listed, page("abcd", "other"));
	assert.deepEqual([news.count, news.hasGap], [2, false]);
	assert.deepEqual([idsOf(withNews(listed, news)), withNews(listed, news).cursor], ["abcd", "next"]);
});

test("replaces the list if a whole page is new", () => {
	const listed = withPage(NOTHING, page("yz", "old"));
	const news = newsIn(listed, page("abc", "fresh"));
	assert.equal(news.hasGap, true);
	assert.deepEqual([idsOf(withNews(listed, news)), withNews(listed, news).cursor], ["abc", "fresh"]);
});

test("has no gap for the first records", () => {
	const news = newsIn(withPage(NOTHING, page("", null)), page("ab", null));
	assert.deepEqual([news.count, news.hasGap], [2, false]);
});

test("finds nothing new in the same page", () => {
	assert.equal(newsIn(withPage(NOTHING, page("ab", null)), page("ab", null)).count, 0);
});
