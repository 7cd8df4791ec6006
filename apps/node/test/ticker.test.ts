import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { tickEachMinute } from "../src/ticker.ts";

const START = Date.UTC(2026, 10, 2, 12, 0, 40);
const MINUTE = 60_000;

/** Seconds since the start of the test's hour at which it ticked. */
function startTicker(context: TestContext, work: () => Promise<void> = async () => {}) {
	context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: START });
	const times: number[] = [];
	let offset = 0;
	const clock = { now: () => Date.now() + offset };
	const ticker = tickEachMinute(clock, () => {
		times.push((clock.now() % (60 * MINUTE)) / 1000);
		return work();
	});
	context.after(ticker.stop);
	/** Moves the clock without the timers. */
	const setClock = (by: number) => {
		offset += by;
	};
	return { times, ticker, setClock };
}

/** Step by step, as real time passes: what a timer starts may set another. */
async function pass(context: TestContext, ms: number, step = 5): Promise<void> {
	for (let passed = 0; passed < ms; passed += step) {
		context.mock.timers.tick(step);
		await turn();
	}
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the ticker", () => {
	test("ticks at once and then at every minute, a few milliseconds late", async (context) => {
		const { times } = startTicker(context);
		await pass(context, 3 * MINUTE);
		assert.deepEqual(
			times.map((seconds) => Math.floor(seconds)),
			[40, 60, 120, 180],
		);
		for (const seconds of times.slice(1)) assert.ok(seconds % 60 <= 0.01, String(seconds));
	});

	test("a pause over a minute's start delays that tick alone", async (context) => {
		const { times } = startTicker(context);
		await pass(context, 79_900);
		context.mock.timers.tick(400);
		await pass(context, MINUTE);
		assert.deepEqual(times.map(Math.floor), [40, 60, 120, 180]);
	});

	test("a machine that slept is noticed within a second, though its timers slept too", async (context) => {
		const { times, setClock } = startTicker(context);
		await pass(context, 1500);
		setClock(2 * MINUTE);
		await pass(context, 1000);
		assert.deepEqual(times.map(Math.floor), [40, 162]);
	});

	test("a clock that is set back goes on ticking at every minute", async (context) => {
		const { times, setClock } = startTicker(context);
		await pass(context, 30_500);
		setClock(-5 * MINUTE);
		await pass(context, MINUTE);
		assert.deepEqual(times.map(Math.floor), [40, 60, 3371, 3420]);
	});

	test("a tick that takes long is not joined by another, and the next follows it at once", async (context) => {
		let underWay = 0;
		const { times } = startTicker(context, async () => {
			assert.equal(underWay++, 0);
			await new Promise((resolve) => setTimeout(resolve, 90_000));
			underWay--;
		});
		await pass(context, 4 * MINUTE, 50);
		assert.deepEqual(times.map(Math.floor), [40, 130, 220]);
	});

	test("a tick that fails does not end it, and a stop does", async (context) => {
		const { times, ticker } = startTicker(context, async () => {
			throw new Error("the store is away");
		});
		await pass(context, MINUTE);
		assert.equal(times.length, 2);
		ticker.stop();
		await pass(context, 2 * MINUTE);
		assert.equal(times.length, 2);
	});
});
