import assert from "node:assert/strict";
import { test } from "node:test";
import { matchOf } from "../../src/shell/palette-match.ts";

const scoreOf = (query: string, text: string) => matchOf(query, text)?.score ?? Number.NEGATIVE_INFINITY;
const marked = (query: string, text: string) =>
	matchOf(query, text)?.marks.map(([start, end]) => text.slice(start, end));

test("nothing typed matches everything", () => assert.deepEqual(matchOf("", "Overview")?.marks, []));

test("a part of a text is found in any case", () => assert.deepEqual(marked("REP", "daily-report"), ["rep"]));

test("a text that begins with it is better than one with a word that does, and that better than one within", () => {
	assert.ok(scoreOf("rep", "report") > scoreOf("rep", "daily-report"));
	assert.ok(scoreOf("rep", "daily-report") > scoreOf("rep", "prepare-daily"));
});

test("beginnings of words are found together", () => {
	assert.deepEqual(marked("dr", "daily-report"), ["d", "r"]);
	assert.deepEqual(marked("dairep", "daily-report"), ["dai", "rep"]);
	assert.deepEqual(marked("si", "syncInvoices"), ["s", "I"]);
});

test("a letter may be left out", () => assert.deepEqual(marked("ovrview", "Overview"), ["Ov", "rview"]));

test("letters that are far apart are no match", () => {
	assert.equal(matchOf("run", "graph of unknown origin, none"), null);
	assert.equal(matchOf("xyz", "overview"), null);
});

test("every word must match, in any order", () => {
	assert.deepEqual(marked("greet run", "Run greet"), ["Run", "greet"]);
	assert.equal(matchOf("run nothing", "Run greet"), null);
});

test("Chinese is found by any of its characters", () => {
	assert.deepEqual(marked("流程", "工作流程"), ["流程"]);
	assert.deepEqual(marked("工程", "工作流程"), ["工", "程"]);
});

test("of two equal matches the shorter text is better", () => {
	assert.ok(scoreOf("greet", "greet") > scoreOf("greet", "greet everybody"));
});

test("a word that is longer than anybody types is looked for in one piece only", () => {
	const name = "a-".repeat(30);
	assert.equal(matchOf("a".repeat(30), name), null);
	assert.deepEqual(marked(name, name), [name]);
});
