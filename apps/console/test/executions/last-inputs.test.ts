import assert from "node:assert/strict";
import { test } from "node:test";
import { addInput } from "../../src/inputs/last-inputs.ts";

test("lists the newest input first", () => {
	assert.deepEqual(addInput(['{"a":1}'], '{"b":2}'), ['{"b":2}', '{"a":1}']);
});

test("moves an input that differs only in white space to the front", () => {
	assert.deepEqual(addInput(['{"b":2}', '{"a":1}'], '{ "a": 1 }'), ['{ "a": 1 }', '{"b":2}']);
});

test("keeps ten inputs", () => {
	let inputs: readonly string[] = [];
	for (let nth = 1; nth <= 12; nth++) inputs = addInput(inputs, `{"n":${nth}}`);
	assert.equal(inputs.length, 10);
	assert.deepEqual([inputs[0], inputs.at(-1)], ['{"n":12}', '{"n":3}']);
});

test("does not keep an empty input", () => {
	assert.deepEqual(addInput([], " { } "), []);
	assert.deepEqual(addInput([], ""), []);
});

test("does not keep a very long input", () => {
	assert.deepEqual(addInput([], JSON.stringify({ text: "x".repeat(20_000) })), []);
});
