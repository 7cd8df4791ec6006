import assert from "node:assert/strict";
import { test } from "node:test";
import { compactInput, parseInput, parseJson } from "../../src/inputs/json-text.ts";

const describeProblem = (text: string) => {
	const { problem } = parseInput(text);
	return problem === null ? null : `${problem.line}:${problem.column} ${problem.expected}`;
};

test("parses an object, and an empty text as an empty object", () => {
	assert.deepEqual(parseInput('{"name": "Ada", "n": [1, -2.5e3, true, null]}').value, {
		name: "Ada",
		n: [1, -2500, true, null],
	});
	assert.deepEqual(parseInput(" \n ").value, {});
});

for (const [text, place] of [
	['{"a": }', "1:7 value"],
	['{\n  "a": 1,\n}', "3:1 key"],
	["{name: 1}", "1:2 key"],
	['{"a" 1}', "1:6 colon"],
	['{"a": 1 "b": 2}', "1:9 separator"],
	['{"a": [1, 2}', "1:12 separator"],
	['{"a": "open\n"}', "1:12 string"],
	['{"a": "\\x"}', "1:8 escape"],
	['{"a": 1} extra', "1:10 end"],
	["{", "1:2 key"],
	['{"a": 01}', "1:8 separator"],
	["[1]", "1:1 object"],
	["  null", "1:3 object"],
] as const)
	test(`finds the error in ${JSON.stringify(text)} at ${place}`, () =>
		assert.equal(describeProblem(text), place));

test("rejects deeply nested text without crashing", () => {
	assert.notEqual(parseInput(`${"[".repeat(200_000)}x`).problem, null);
});

test("formats an input on one line, whether it is JSON or not", () => {
	assert.equal(compactInput('{\n  "a": 1\n}'), '{"a":1}');
	assert.equal(compactInput("{ not\n json"), "{ not json");
});

test("parses any JSON value, and an empty text is none", () => {
	for (const value of [null, 1, "a", [1], { a: 1 }]) {
		assert.deepEqual(parseJson(JSON.stringify(value)), { value, problem: null });
	}
	assert.deepEqual(parseJson("").problem, { expected: "value", line: 1, column: 1 });
	assert.deepEqual(parseJson("[1").problem, { expected: "separator", line: 1, column: 3 });
});
