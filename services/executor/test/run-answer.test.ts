import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RespondAnswer } from "@tripline/components/effects";
import type { Json } from "@tripline/contract/json";
import type { RunResult } from "@tripline/contract/workflows";
import { toResponse } from "@tripline/web/http-message";
import fc from "fast-check";
import { boundResult, buildRunAnswer } from "../src/domain/run-answer.ts";

const MIB = 1024 * 1024;

const success = (data: Json): RunResult => ({
	success: true,
	duration_ms: 1,
	execution_id: "id",
	workflow: "w",
	data,
	nodes: [],
});

const failedRun: RunResult = { ...success(null), success: false, error: "n: broken" };

const respond = (body: Json, status = 200, headers: Record<string, string> = {}) => ({
	status,
	headers,
	body,
});

/** The answer as a caller sees it. */
function answer(result: RunResult, answered: RespondAnswer | null, options = {}) {
	const { reply, result: recorded } = buildRunAnswer(result, answered, options);
	const { status, text = null, headers = {} } = reply;
	return { response: toResponse({ status, headers, body: text }), result: recorded };
}

function assertGuarded(response: Response): void {
	assert.equal(response.headers.get("x-content-type-options"), "nosniff");
	assert.equal(response.headers.get("content-security-policy"), "sandbox");
}

describe("answer of a run", () => {
	test("is the run's data as JSON", async () => {
		for (const data of [{ a: [1, null] }, "text", null, 7]) {
			const { response } = answer(success(data), null);
			assert.equal(response.status, 200);
			assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
			assertGuarded(response);
			assert.deepEqual(await response.json(), data);
		}
	});

	test("is what respond set: text unchanged, anything else as JSON", async () => {
		const text = answer(success(null), respond("hello", 404)).response;
		assert.equal(text.status, 404);
		assert.equal(text.headers.get("content-type"), "text/plain; charset=utf-8");
		assert.equal(await text.text(), "hello");
		const json = answer(success(null), respond({ a: 1 }, 201, { ETag: '"1"' })).response;
		assert.equal(json.status, 201);
		assert.equal(json.headers.get("etag"), '"1"');
		assert.equal(await json.text(), '{"a":1}');
	});

	test("a page keeps its content type and gets the sandbox policy", async () => {
		const { response } = answer(
			success(null),
			respond("<script>1</script>", 200, { "Content-Type": "text/html" }),
		);
		assert.equal(response.headers.get("content-type"), "text/html");
		assertGuarded(response);
	});

	test("a bodiless status has no body", async () => {
		for (const status of [204, 205, 304]) {
			const { response } = answer(success(null), respond(null, status));
			assert.equal(response.status, status);
			assert.equal(response.body, null);
			assert.equal(response.headers.get("content-type"), null);
			assertGuarded(response);
		}
	});

	test("a failed run is 500 with the result, whatever respond set", async () => {
		const { response, result } = answer(failedRun, respond("fine"));
		assert.equal(response.status, 500);
		assertGuarded(response);
		assert.deepEqual(await response.json(), failedRun);
		assert.equal(result, failedRun);
	});

	test("a forbidden header or an invalid status fails the run", async () => {
		const answers = [
			respond("x", 200, { "set-cookie": "a=b" }),
			respond("x", 200, { "Content-Security-Policy": "" }),
			respond("x", 200, { "access-control-allow-origin": "*" }),
			respond("x", 200, { etag: "a\r\nset-cookie: a=b" }),
			respond("x", 101),
			respond("x", 600),
			respond("x", Number.NaN),
		];
		for (const each of answers) {
			const { response, result } = answer(success("x"), each);
			assert.equal(response.status, 500);
			assert.equal(response.headers.get("set-cookie"), null);
			assertGuarded(response);
			assert.equal(result.success, false);
			assert.match(result.error ?? "", /^respond: /);
		}
	});

	test("over 4 MiB is a failed result", async () => {
		for (const each of [null, respond("x".repeat(4 * MIB + 1))]) {
			const { response, result } = answer(success("x".repeat(4 * MIB)), each);
			assert.equal(response.status, 500);
			assert.equal(result.error, "result is larger than 4 MiB");
			assert.deepEqual(await response.json(), result);
		}
	});

	test("bytes count, not characters", () => {
		assert.equal(answer(success(null), respond("x".repeat(4 * MIB))).response.status, 200);
		assert.equal(answer(success(null), respond("值".repeat(2 * MIB))).response.status, 500);
	});

	test("any JSON comes back unchanged", async () => {
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), async (data) => {
				const { response } = answer(success(data as Json), null);
				assert.equal(await response.text(), JSON.stringify(data));
			}),
		);
	});
});

describe("bounded result", () => {
	test("is the result and its text while it is small", () => {
		const result = success({ a: 1 });
		assert.deepEqual(boundResult(result), { result, text: JSON.stringify(result) });
	});

	test("fails a result over 4 MiB and keeps its workflow and execution id", () => {
		const { result, text } = boundResult(success("x".repeat(4 * MIB)));
		assert.deepEqual(JSON.parse(text), result);
		assert.deepEqual(
			[result.success, result.data, result.execution_id, result.error],
			[false, null, "id", "result is larger than 4 MiB"],
		);
	});
});
