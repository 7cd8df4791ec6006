import assert from "node:assert/strict";
import { test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import { withinTime } from "../src/within-time.ts";

function createCall(timeoutMs?: number) {
	const control = new AbortController();
	return {
		node: { id: "test", credential: undefined, timeoutMs },
		signal: control.signal,
		abort: (reason: Error) => control.abort(reason),
	};
}

const waitForAbort = (signal: AbortSignal) =>
	new Promise<never>((_, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason));
	});

test("work is ended after its time, with an error that is not retried", async () => {
	const limit = { what: "the statement", timeoutMs: 5 };
	await assert.rejects(withinTime(createCall(), limit, waitForAbort), (error: Error) => {
		assert.equal(error.message, "the statement took longer than 5 ms; set timeout_ms for more");
		return error instanceof TerminalError;
	});
});

test("work that ends, or that has a limit of the node, is left alone", async (context) => {
	context.mock.timers.enable({ apis: ["setTimeout"] });
	const limit = { what: "the statement", timeoutMs: 5 };
	const call = createCall();
	assert.equal(await withinTime(call, limit, async () => 1), 1);
	const limited = createCall(60_000);
	void withinTime(limited, limit, waitForAbort);
	context.mock.timers.tick(1_000);
	assert.deepEqual([call.signal.aborted, limited.signal.aborted], [false, false]);
});
