import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "../../src/terminal-error.ts";
import { type Act, fails, failsLater, gives, later, listStatuses, runNodes, waitsForAbort } from "./build.ts";

const failsTimes = (times: number, thrown: () => Error = () => new Error(`try ${times}`)) => {
	let tries = 0;
	return () => {
		if (tries++ < times) throw thrown();
		return "ok";
	};
};

describe("retries", () => {
	test("are made until one succeeds", async () => {
		const outcome = await runNodes({ a: { act: failsTimes(2), retry: { max: 3, delay_ms: 1 } } });
		assert.equal(outcome.data, "ok");
		assert.equal(outcome.nodes[0]?.attempts, 3);
		assert.equal(outcome.nodes[0]?.error, undefined);
	});

	test("are made with a signal of their own, after a call that aborted itself", async () => {
		const act: Act = async (_frame, call) => {
			if (call.attempt === 2) return call.signal.aborted;
			call.abort(new Error("too late"));
			call.abort(new Error("later still"));
			throw call.signal.reason;
		};
		const outcome = await runNodes({ a: { act, retry: { max: 1, delay_ms: 0 } } });
		assert.equal(outcome.data, false);
		const failed = await runNodes({ a: act });
		assert.equal(failed.error, "a: too late");
	});

	test("are at most `max`, then ON_FAIL is taken", async () => {
		const outcome = await runNodes(
			{ a: { act: failsLater("no", 0), retry: { max: 2, delay_ms: 0 } }, b: gives("mended") },
			[["a", "ON_FAIL", "b"]],
		);
		assert.equal(outcome.data, "mended");
		assert.equal(outcome.nodes[0]?.attempts, 3);
	});

	test("wait a second by default, then twice as long each time", async (t) => {
		const delays = async (retry: { max: number; delay_ms?: number; factor?: number }) => {
			const waited: unknown[] = [];
			const timers = t.mock.method(globalThis, "setTimeout", (action: () => void, ms: number) => {
				if (ms !== 900_000) waited.push(ms);
				return setImmediate(() => ms !== 900_000 && action());
			});
			await runNodes({ a: { act: fails("no"), retry } }, [], { timeoutMs: 900_000, clock: { now: () => 0 } });
			timers.mock.restore();
			return waited;
		};
		assert.deepEqual(await delays({ max: 3 }), [1_000, 2_000, 4_000]);
		assert.deepEqual(await delays({ max: 3, delay_ms: 10, factor: 3 }), [10, 30, 90]);
		// A timer of more than 31 bits would fire immediately.
		assert.equal((await delays({ max: 20, delay_ms: 60_000, factor: 10 })).at(-1), 2_147_483_647);
	});

	test("are not made after a TerminalError", async () => {
		const act = failsTimes(1, () => new TerminalError("never"));
		const outcome = await runNodes({ a: { act, retry: { max: 3, delay_ms: 1 } } });
		assert.equal(outcome.error, "a: never");
		assert.equal(outcome.nodes[0]?.attempts, 1);
	});

	test("count as one step", async () => {
		const budget = { stepsLeft: 10 };
		await runNodes({ a: { act: failsTimes(2), retry: { max: 3, delay_ms: 0 } } }, [], { budget });
		assert.equal(budget.stepsLeft, 9);
	});

	test("are interrupted by the deadline and by a cancellation", async () => {
		const nodes = { a: { act: fails("no"), retry: { max: 1, delay_ms: 60_000 } } };
		const late = await runNodes(nodes, [], { timeoutMs: 60 });
		assert.equal(late.error, 'the run took longer than 60 ms while "a" was running');
		assert.deepEqual(listStatuses(late), { a: "cancelled" });
		const controller = new AbortController();
		const outcome = runNodes(nodes, [], { signal: controller.signal });
		controller.abort();
		assert.equal((await outcome).error, "cancelled");
	});

	test("are interrupted by another node's failure", async () => {
		const outcome = await runNodes({
			a: { act: fails("no"), retry: { max: 1, delay_ms: 60_000 } },
			b: failsLater("other", 5),
		});
		assert.equal(outcome.error, "b: other");
		assert.deepEqual(listStatuses(outcome), { a: "cancelled", b: "failed" });
	});
});

describe("timeout_ms", () => {
	test("bounds an attempt and aborts its signal", async () => {
		const aborted: string[] = [];
		const outcome = await runNodes({ a: { act: waitsForAbort(aborted), timeoutMs: 5 } });
		assert.equal(outcome.error, "a: timed out after 5 ms");
		assert.deepEqual(aborted, ["a"]);
	});

	test("bounds each attempt, and the next one has its own signal", async () => {
		const signals: AbortSignal[] = [];
		const outcome = await runNodes({
			a: {
				act: (frame, call) => {
					signals.push(call.signal);
					return signals.length === 1 ? later(1_000)(frame, call) : "ok";
				},
				timeoutMs: 5,
				retry: { max: 1, delay_ms: 0 },
			},
		});
		assert.equal(outcome.data, "ok");
		assert.deepEqual(
			signals.map(({ aborted }) => aborted),
			[true, false],
		);
	});

	test("ignores a late answer of the attempt", async () => {
		let tries = 0;
		const outcome = await runNodes({
			a: {
				act: (frame, call) => (++tries === 1 ? later(150, "first") : later(2_000, "second"))(frame, call),
				timeoutMs: 100,
				retry: { max: 1, delay_ms: 0 },
			},
			b: later(300),
		});
		assert.equal(outcome.error, "a: timed out after 100 ms");
		assert.equal(tries, 2);
	});

	/** Computes without a pause while the clock advances. */
	function computing() {
		let time = 0;
		const act: Act = (_frame, call) => {
			for (;;) {
				time += 1;
				call.meter.spend(50_000);
			}
		};
		return { act, clock: { now: () => time } };
	}

	test("ends a node that only computes", async () => {
		const { act, clock } = computing();
		const outcome = await runNodes({ a: { act, timeoutMs: 5 } }, [], { clock });
		assert.equal(outcome.error, "a: timed out after 5 ms");
		assert.ok(clock.now() < 10);
	});

	test("of the run ends a node that only computes", async () => {
		const { act, clock } = computing();
		const outcome = await runNodes({ a: act }, [], { clock, timeoutMs: 20 });
		assert.equal(outcome.error, 'the run took longer than 20 ms while "a" was running');
		assert.ok(clock.now() < 30);
	});

	test("does not affect an answer in time", async () => {
		const outcome = await runNodes({ a: { act: later(1, "ok"), timeoutMs: 1_000 } });
		assert.equal(outcome.data, "ok");
	});
});

describe("the signal of a call", () => {
	test("is already aborted if first read after the cancellation", async () => {
		let read: () => AbortSignal = () => AbortSignal.abort();
		const outcome = await runNodes({
			a: (_frame, call) => {
				read = () => call.signal;
				return new Promise(() => {});
			},
			b: failsLater("no", 1),
		});
		assert.equal(outcome.error, "b: no");
		assert.equal(read().aborted, true);
	});
});
