import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { classifyRefusal, formatKeptInput, toReplayRequest } from "../../src/pages/executions/replay.ts";

const START = { from: "start", version: "same" } as const;

describe("a request to run again", () => {
	test("has no input if it is the same one", () => {
		assert.deepEqual(toReplayRequest({ ...START, input: null }), START);
	});

	test("has another input as an object", () => {
		assert.deepEqual(toReplayRequest({ ...START, input: '{"a":1}' }), { ...START, input: { a: 1 } });
		assert.deepEqual(toReplayRequest({ ...START, input: " " }), { ...START, input: {} });
	});

	test("is not made with an input that is not a JSON object", () => {
		for (const input of ["{", "[]", "1"]) assert.equal(toReplayRequest({ ...START, input }), null, input);
	});

	test("has no input at the failed node, whatever was typed before", () => {
		const choice = { from: "failed", version: "current" } as const;
		assert.deepEqual(toReplayRequest({ ...choice, input: "{" }), choice);
	});
});

test("a kept input is offered to be changed if it is whole", () => {
	assert.equal(formatKeptInput({ json: { a: 1 } }), '{\n  "a": 1\n}');
	assert.equal(formatKeptInput({ text: '{"a":', bytes: 100_000 }), "");
	assert.equal(formatKeptInput(undefined), "");
});

describe("a refusal", () => {
	const refuse = (status: number, message: string) =>
		classifyRefusal(Object.assign(new Error(message), { status }));

	test("of a run of which too little is kept says how to keep more", () => {
		assert.equal(refuse(409, 'the steps are not kept; set options.keep to "failed"'), "not_kept");
	});

	test("of a run that has not ended, or whose workflow is gone, does not", () => {
		assert.equal(refuse(409, "the workflow no longer exists"), "other");
		assert.equal(refuse(422, "options.keep"), "other");
	});

	test("is uncertain if the service did not answer", () => {
		assert.equal(refuse(503, "the executor does not answer"), "uncertain");
		assert.equal(classifyRefusal(new Error("the service is not responding")), "uncertain");
	});
});
