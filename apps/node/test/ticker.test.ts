import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { tickEachMinute } from "../src/ticker.ts";

const START = Date.UTC(2026, 10, 2, 12, 0, 40);
const MINUTE = 60_000;

/** The times of the ticks, in seconds since the start of the test's hour. */
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
	/** Moves the clock, but not the timers. */
	const setClock = (by: number) => {
		offset += by;
	};
	return { times, ticker, setClock };
}

/** Advances in small steps, because a timer may set another. */
async function advance(context: TestContext, ms: number, step = 5): Promise<void> {
	for (let passed = 0; passed < ms; passed += step) {
		context.mock.timers.tick(step);
		await turn();
	}
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the ticker", () => {
	test("ticks at once and then every minute, a few milliseconds late", async (context) => {
		const { times } = startTicker(context);
		await advance(context, 3 * MINUTE);
		assert.deepEqual(
			times.map((seconds) => Math.floor(seconds)),
			[40, 60, 120, 180],
		);
		for (const seconds of times.slice(1)) assert.ok(seconds % 60 <= 0.01, String(seconds));
	});

	test("a pause across the start of a minute delays only that tick", async (context) => {
		const { times } = startTicker(context);
		await advance(context, 79_900);
		context.mock.timers.tick(400);
		await advance(context, MINUTE);
		assert.deepEqual(times.map(Math.floor), [40, 60, 120, 180]);
	});

	test("ticks within a second after the machine has slept, even though its timers slept too", async (context) => {
		const { times, setClock } = startTicker(context);
		await advance(context, 1500);
		setClock(2 * MINUTE);
		await advance(context, 1000);
		assert.deepEqual(times.map(Math.floor), [40, 162]);
	});

	test("keeps ticking every minute after the clock is set back", async (context) => {
		const { times, setClock } = startTicker(context);
		await advance(context, 30_500);
		setClock(-5 * MINUTE);
		await advance(context, MINUTE);
		assert.deepEqual(times.map(Math.floor), [40, 60, 3371, 3420]);
	});

	test("never runs two ticks at once; after a long tick the next follows at once", async (context) => {
		let underWay = 0;
		const { times } = startTicker(context, async () => {
			assert.equal(underWay++, 0);
			await new Promise((resolve) => setTimeout(resolve, 90_000));
			underWay--;
		});
		await advance(context, 4 * MINUTE, 50);
		assert.deepEqual(times.map(Math.floor), [40, 130, 220]);
	});

	test("continues after a failed tick and ends with a stop", async (context) => {
		const { times, ticker } = startTicker(context, async () => {
			throw new Error("the store is away");
		});
		await advance(context, MINUTE);
		assert.equal(times.length, 2);
		ticker.stop();
		await advance(context, 2 * MINUTE);
		assert.equal(times.length, 2);
	});
});
