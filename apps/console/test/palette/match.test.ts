import assert from "node:assert/strict";
import { test } from "node:test";
import { matchOf } from "../../src/shell/palette-match.ts";

const scoreOf = (query: string, text: string) => matchOf(query, text)?.score ?? Number.NEGATIVE_INFINITY;
const marked = (query: string, text: string) =>
	matchOf(query, text)?.marks.map(([start, end]) => text.slice(start, end));

test("matches everything with an empty query", () => assert.deepEqual(matchOf("", "Overview")?.marks, []));

test("matches a substring ignoring case", () => assert.deepEqual(marked("REP", "daily-report"), ["rep"]));

test("ranks a prefix of the text above a prefix of a word, and that above a substring", () => {
	assert.ok(scoreOf("rep", "report") > scoreOf("rep", "daily-report"));
	assert.ok(scoreOf("rep", "daily-report") > scoreOf("rep", "prepare-daily"));
});

test("matches prefixes of several words", () => {
	assert.deepEqual(marked("dr", "daily-report"), ["d", "r"]);
	assert.deepEqual(marked("dairep", "daily-report"), ["dai", "rep"]);
	assert.deepEqual(marked("si", "syncInvoices"), ["s", "I"]);
});

test("matches with a missing letter", () => assert.deepEqual(marked("ovrview", "Overview"), ["Ov", "rview"]));

test("does not match letters that are far apart", () => {
	assert.equal(matchOf("run", "graph of unknown origin, none"), null);
	assert.equal(matchOf("xyz", "overview"), null);
});

test("requires every word in any order", () => {
	assert.deepEqual(marked("greet run", "Run greet"), ["Run", "greet"]);
	assert.equal(matchOf("run nothing", "Run greet"), null);
});

test("matches Chinese by any character", () => {
	assert.deepEqual(marked("流程", "工作流程"), ["流程"]);
	assert.deepEqual(marked("工程", "工作流程"), ["工", "程"]);
});

test("ranks the shorter of two equal matches higher", () => {
	assert.ok(scoreOf("greet", "greet") > scoreOf("greet", "greet everybody"));
});

test("matches a very long word only as a substring", () => {
	const name = "a-".repeat(30);
	assert.equal(matchOf("a".repeat(30), name), null);
	assert.deepEqual(marked(name, name), [name]);
});
