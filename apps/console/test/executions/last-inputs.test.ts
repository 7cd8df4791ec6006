import assert from "node:assert/strict";
import { test } from "node:test";
import { withInput } from "../../src/inputs/last-inputs.ts";

test("the newest input is first", () => {
	assert.deepEqual(withInput(['{"a":1}'], '{"b":2}'), ['{"b":2}', '{"a":1}']);
});

test("the same input in other white space moves to the front as it was typed last", () => {
	assert.deepEqual(withInput(['{"b":2}', '{"a":1}'], '{ "a": 1 }'), ['{ "a": 1 }', '{"b":2}']);
});

test("ten are kept", () => {
	let inputs: readonly string[] = [];
	for (let nth = 1; nth <= 12; nth++) inputs = withInput(inputs, `{"n":${nth}}`);
	assert.equal(inputs.length, 10);
	assert.deepEqual([inputs[0], inputs.at(-1)], ['{"n":12}', '{"n":3}']);
});

test("an empty input is not worth keeping", () => {
	assert.deepEqual(withInput([], " { } "), []);
	assert.deepEqual(withInput([], ""), []);
});

test("a very long input is not kept", () => {
	assert.deepEqual(withInput([], JSON.stringify({ text: "x".repeat(20_000) })), []);
});
