import assert from "node:assert/strict";
import { test } from "node:test";
import { ExecutorRefused, ExecutorUnavailable } from "@tripline/executor/client";
import { StoreRefused } from "@tripline/store/client";
import { toGuiFailure } from "../../src/http/gui/failure.ts";

test("passes a rejection on with its status and body", () => {
	const answer = { error: "it does not compile", diagnostics: [{ code: "x" }], missing: ["a"] };
	assert.deepEqual(toGuiFailure(new ExecutorRefused(400, answer.error, answer)), {
		status: 400,
		body: answer,
	});
	const conflict = { error: "taken" };
	assert.deepEqual(toGuiFailure(new StoreRefused(409, "taken", conflict)), { status: 409, body: conflict });
});

test("a rejection without a body still has a message", () => {
	assert.deepEqual(toGuiFailure(new StoreRefused(418, "the store answered 418", {})), {
		status: 418,
		body: { error: "the store answered 418" },
	});
});

test("answers 503 and not 401 when another service rejects this server's credential", () => {
	for (const status of [401, 403]) {
		const failure = toGuiFailure(new StoreRefused(status, "no valid token", { error: "no valid token" }));
		assert.equal(failure?.status, 503);
		assert.match(JSON.stringify(failure?.body), /STORE_INTERNAL_TOKEN/);
	}
});

test("answers 503 with Retry-After when a service is unavailable", () => {
	const failure = toGuiFailure(new ExecutorUnavailable("the executor did not answer"));
	assert.deepEqual(failure, {
		status: 503,
		body: { error: "the executor did not answer" },
		headers: { "retry-after": "1" },
	});
});

test("leaves all other errors alone", () => {
	assert.equal(toGuiFailure(new Error("a bug")), null);
	assert.equal(toGuiFailure(undefined), null);
});
