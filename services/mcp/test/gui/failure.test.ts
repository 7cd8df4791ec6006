import assert from "node:assert/strict";
import { test } from "node:test";
import { ExecutorRefused, ExecutorUnavailable } from "@tripline/executor/client";
import { StoreRefused } from "@tripline/store/client";
import { guiFailure } from "../../src/http/gui/failure.ts";

test("a refusal is passed on with its status and everything it says", () => {
	const answer = { error: "it does not compile", diagnostics: [{ code: "x" }], missing: ["a"] };
	assert.deepEqual(guiFailure(new ExecutorRefused(400, answer.error, answer)), { status: 400, body: answer });
	const conflict = { error: "taken" };
	assert.deepEqual(guiFailure(new StoreRefused(409, "taken", conflict)), { status: 409, body: conflict });
});

test("a refusal without a body still says what is wrong", () => {
	assert.deepEqual(guiFailure(new StoreRefused(418, "the store answered 418", {})), {
		status: 418,
		body: { error: "the store answered 418" },
	});
});

test("a credential that another service refuses is no reason to log out", () => {
	for (const status of [401, 403]) {
		const failure = guiFailure(new StoreRefused(status, "no valid token", { error: "no valid token" }));
		assert.equal(failure?.status, 503);
		assert.match(JSON.stringify(failure?.body), /STORE_INTERNAL_TOKEN/);
	}
});

test("a service that cannot answer is told with when to try again", () => {
	const failure = guiFailure(new ExecutorUnavailable("the executor did not answer"));
	assert.deepEqual(failure, {
		status: 503,
		body: { error: "the executor did not answer" },
		headers: { "retry-after": "1" },
	});
});

test("any other error is not explained away", () => {
	assert.equal(guiFailure(new Error("a bug")), null);
	assert.equal(guiFailure(undefined), null);
});
