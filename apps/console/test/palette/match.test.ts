import assert from "node:assert/strict";
import { test } from "node:test";
import { matchText } from "../../src/shell/palette-match.ts";

const getScore = (query: string, text: string) => matchText(query, text)?.score ?? Number.NEGATIVE_INFINITY;
const listMarked = (query: string, text: string) =>
	matchText(query, text)?.marks.map(([start, end]) => text.slice(start, end));

test("matches everything with an empty query", () => assert.deepEqual(matchText("", "Overview")?.marks, []));

test("matches a substring ignoring case", () => assert.deepEqual(listMarked("REP", "daily-report"), ["rep"]));

test("ranks a prefix of the text above a prefix of a word, and that above a substring", () => {
	assert.ok(getScore("rep", "report") > getScore("rep", "daily-report"));
	assert.ok(getScore("rep", "daily-report") > getScore("rep", "prepare-daily"));
});

test("matches prefixes of several words", () => {
	assert.deepEqual(listMarked("dr", "daily-report"), ["d", "r"]);
	assert.deepEqual(listMarked("dairep", "daily-report"), ["dai", "rep"]);
	assert.deepEqual(listMarked("si", "syncInvoices"), ["s", "I"]);
});

test("matches with a missing letter", () =>
	assert.deepEqual(listMarked("ovrview", "Overview"), ["Ov", "rview"]));

test("does not match letters that are far apart", () => {
	assert.equal(matchText("run", "graph of unknown origin, none"), null);
	assert.equal(matchText("xyz", "overview"), null);
});

test("requires every word in any order", () => {
	assert.deepEqual(listMarked("greet run", "Run greet"), ["Run", "greet"]);
	assert.equal(matchText("run nothing", "Run greet"), null);
});

test("matches Chinese by any character", () => {
	assert.deepEqual(listMarked("流程", "工作流程"), ["流程"]);
	assert.deepEqual(listMarked("工程", "工作流程"), ["工", "程"]);
});

test("ranks the shorter of two equal matches higher", () => {
	assert.ok(getScore("greet", "greet") > getScore("greet", "greet everybody"));
});

test("matches a very long word only as a substring", () => {
	const name = "a-".repeat(30);
	assert.equal(matchText("a".repeat(30), name), null);
	assert.deepEqual(listMarked(name, name), [name]);
});
