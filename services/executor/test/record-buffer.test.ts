import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { ExecutionReport } from "@tripline/contract/execution-log";
import type { Background } from "@tripline/platform/background";
import type { LogFields } from "@tripline/platform/log";
import fc from "fast-check";
import { type RecordBufferDeps, recordBuffer } from "../src/runs/record-buffer.ts";

class Unavailable extends Error {}
class Refused extends Error {}

const record = (workflow: string, verdict: "success" | "failed" = "success"): ExecutionReport => ({
	owner_id: "acme",
	workflow,
	verdict,
	duration_ms: 1,
	context: { page_name: "a secret page" },
});

/** A store that can become unreachable, rejects records named "bad", and blocks while `held`. */
function store() {
	return {
		batches: [] as string[][],
		away: false,
		held: null as Promise<void> | null,
		underWay: 0,
		async send(records: readonly ExecutionReport[]) {
			assert.equal(++this.underWay, 1, "one batch at a time");
			try {
				if (this.held !== null) await this.held;
				else await null;
				if (this.away) throw new Unavailable();
				if (records.some((each) => each.workflow === "bad")) throw new Refused("a secret page");
				this.batches.push(records.map((each) => each.workflow));
			} finally {
				this.underWay--;
			}
		},
	};
}

function setUp(context: TestContext, options: Partial<RecordBufferDeps> = {}) {
	context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_700_000_000_000 });
	const target = store();
	const lines: { message: string; fields: LogFields | undefined }[] = [];
	const buffer = recordBuffer({
		send: (records) => target.send(records),
		isUnavailable: (error) => error instanceof Unavailable,
		clock: { now: () => Date.now() },
		log: (_, message, fields) => lines.push({ message, fields }),
		...options,
	});
	const advance = async (ms: number) => {
		context.mock.timers.tick(ms);
		await settle();
	};
	return { buffer, target, lines, after: advance };
}

async function settle(): Promise<void> {
	for (let turns = 0; turns < 20; turns++) await turn();
}

describe("record buffer", () => {
	test("sends buffered records after 20 ms, in order, in one batch", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		buffer.add(record("a"));
		await advance(15);
		buffer.add(record("b"));
		await advance(4);
		assert.deepEqual(target.batches, []);
		await advance(1);
		assert.deepEqual(target.batches, [["a", "b"]]);
	});

	test("sends 256 records without waiting, but never within the call that adds one", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		for (let count = 0; count < 600; count++) buffer.add(record(String(count)));
		assert.equal(target.underWay, 0);
		await advance(1);
		await advance(1);
		assert.deepEqual(
			target.batches.map((batch) => batch.length),
			[256, 256],
		);
		await advance(18);
		assert.deepEqual(target.batches.flat(), [...Array(600).keys()].map(String));
	});

	test("sends records added during a batch at most 20 ms after it", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		let release = () => {};
		target.held = new Promise((resolve) => {
			release = resolve;
		});
		buffer.add(record("a"));
		await advance(20);
		buffer.add(record("b"));
		await advance(100);
		assert.equal(target.underWay, 1);
		target.held = null;
		release();
		await settle();
		await advance(0);
		assert.deepEqual(target.batches, [["a"], ["b"]]);
	});

	test("sends records added during a batch, even if the clock is set back meanwhile", async (context) => {
		let now = Date.UTC(2030, 0);
		const { buffer, target, after } = setUp(context, { clock: { now: () => now } });
		const { promise, resolve } = Promise.withResolvers<void>();
		target.held = promise;
		buffer.add(record("one"));
		await after(20);
		buffer.add(record("two"));
		now -= 60 * 60_000;
		target.held = null;
		resolve();
		await after(0);
		await after(20);
		assert.deepEqual(target.batches, [["one"], ["two"]]);
	});

	test("while the store is unreachable, retries after 0.1 s, doubling up to 5 s", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		let tries = 0;
		const send = target.send.bind(target);
		target.send = (records) => {
			tries++;
			return send(records);
		};
		target.away = true;
		buffer.add(record("a"));
		await advance(20);
		for (const [index, delay] of [100, 200, 400, 800, 1600, 3200, 5000, 5000].entries()) {
			await advance(delay - 1);
			assert.equal(tries, index + 1);
			buffer.add(record(`b${index}`));
			await advance(1);
			assert.equal(tries, index + 2);
		}
		target.away = false;
		await advance(5000);
		assert.deepEqual(target.batches, [["a", ...[...Array(8).keys()].map((index) => `b${index}`)]]);
	});

	test("drops a rejected record, logs it without its content, and keeps the others", async (context) => {
		const { buffer, target, lines, after: advance } = setUp(context);
		for (const name of ["a", "b", "bad", "c", "d", "bad", "e"]) buffer.add(record(name));
		await advance(20);
		assert.deepEqual(target.batches.flat(), ["a", "b", "c", "d", "e"]);
		assert.deepEqual(lines, [
			{ message: "execution records refused", fields: { count: 2, executions: "unknown unknown" } },
		]);
		assert.deepEqual(buffer.count(), { waiting: 0, sent: 5, dropped: 0, refused: 2 });
	});

	test("loses nothing if the store becomes unreachable while a rejected batch is split", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		const send = target.send.bind(target);
		for (let cut = 1; cut <= 8; cut++) {
			let calls = 0;
			target.batches = [];
			target.send = (records) => {
				target.away = ++calls === cut;
				return send(records);
			};
			for (const name of ["a", "b", "bad", "c"]) buffer.add(record(name));
			await advance(20);
			await advance(100);
			assert.deepEqual(target.batches.flat(), ["a", "b", "c"]);
		}
	});

	test("a full batch does not shorten the back-off while the store is unreachable", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		target.away = true;
		buffer.add(record("a"));
		await advance(20);
		target.away = false;
		for (let count = 0; count < 300; count++) buffer.add(record("b"));
		await advance(99);
		assert.equal(target.batches.length, 0);
		await advance(1);
		assert.equal(target.batches[0]?.length, 256);
	});

	test("past its bound, drops the oldest successes first, then the oldest failures", async (context) => {
		const { buffer, target, lines, after: advance } = setUp(context, { most: 4 });
		const add = (name: string) => buffer.add(record(name, name.startsWith("f") ? "failed" : "success"));
		for (const name of ["f1", "s1", "s2", "f2", "s3", "s4"]) add(name);
		await advance(20);
		for (const name of ["f1", "s1", "f2", "f3", "f4", "f5"]) add(name);
		await advance(20);
		assert.deepEqual(target.batches, [
			["f1", "f2", "s3", "s4"],
			["f2", "f3", "f4", "f5"],
		]);
		assert.deepEqual(lines[0], { message: "execution records dropped", fields: { count: 1 } });
	});

	test("logs the number of dropped records at most once a minute and counts each once", async (context) => {
		const { buffer, target, lines, after: advance } = setUp(context, { most: 10 });
		target.away = true;
		for (let count = 0; count < 110; count++) {
			buffer.add(record(String(count)));
			await advance(1000);
		}
		target.away = false;
		await buffer.flush();
		assert.deepEqual(
			target.batches.flat(),
			[...Array(10).keys()].map((index) => String(index + 100)),
		);
		const counts = lines.map((line) => Number(line.fields?.count));
		assert.equal(lines.length, 3);
		assert.equal(
			counts.reduce((sum, count) => sum + count),
			100,
		);
		assert.deepEqual(buffer.count(), { waiting: 0, sent: 10, dropped: 100, refused: 0 });
	});

	test("never holds much more than its bound", async (context) => {
		const { buffer, target } = setUp(context, { most: 1000 });
		target.away = true;
		for (let count = 0; count < 50_000; count++) buffer.add(record(String(count)));
		target.away = false;
		await buffer.flush();
		assert.ok(target.batches.flat().length >= 1000 && target.batches.flat().length <= 1031);
		assert.equal(target.batches.flat().at(-1), "49999");
	});

	test("flush sends everything in batches and waits for the running one", async (context) => {
		const { buffer, target } = setUp(context);
		for (let count = 0; count < 700; count++) buffer.add(record(String(count)));
		await buffer.flush();
		assert.deepEqual(
			target.batches.map((batch) => batch.length),
			[256, 256, 188],
		);
	});

	test("flush retries while the store is unreachable and gives up after 5 seconds", async (context) => {
		const { buffer, target, lines, after: advance } = setUp(context);
		target.away = true;
		buffer.add(record("a"));
		let isOver = false;
		const flushed = buffer.flush().then(() => {
			isOver = true;
		});
		for (let count = 0; count < 49; count++) await advance(100);
		assert.equal(isOver, false);
		await advance(100);
		await flushed;
		assert.deepEqual(lines, [{ message: "execution records not sent before the end", fields: { count: 1 } }]);
		target.away = false;
		buffer.add(record("b"));
		await advance(20);
		assert.deepEqual(target.batches, []);
		await advance(5000);
		assert.deepEqual(target.batches, [["a", "b"]]);
	});

	test("flush ends even if a send never does", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		target.held = new Promise(() => {});
		buffer.add(record("a"));
		const flushed = buffer.flush();
		await advance(5000);
		await flushed;
	});

	test("every record arrives once and in order, whatever the store does", async (context) => {
		const { buffer, target, after: advance } = setUp(context, { flushCount: 3 });
		const steps = fc.array(fc.constantFrom("add", "add", "away", "back", "wait"), { maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(steps, async (order) => {
				target.batches = [];
				const added: string[] = [];
				for (const step of order) {
					if (step === "add") {
						added.push(String(added.length));
						buffer.add(record(added.at(-1) ?? ""));
					} else if (step === "wait") await advance(150);
					else target.away = step === "away";
				}
				target.away = false;
				await settle();
				await buffer.flush();
				assert.deepEqual(target.batches.flat(), added);
			}),
			{ numRuns: 20 },
		);
	});
});

describe("settling the record buffer", () => {
	test("sends what waits at once, in batches, and nothing again later", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		for (let count = 0; count < 300; count++) buffer.add(record(String(count)));
		await buffer.settle();
		assert.deepEqual(
			target.batches.map((batch) => batch.length),
			[256, 44],
		);
		await advance(1_000);
		assert.equal(target.batches.length, 2);
		await buffer.settle();
		assert.equal(target.batches.length, 2);
	});

	test("waits for the batch under way, too", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		let release = () => {};
		target.held = new Promise((resolve) => {
			release = resolve;
		});
		buffer.add(record("a"));
		await advance(20);
		buffer.add(record("b"));
		let isSettled = false;
		const settled = buffer.settle().then(() => {
			isSettled = true;
		});
		await settle();
		assert.equal(isSettled, false);
		target.held = null;
		release();
		await settled;
		assert.deepEqual(target.batches, [["a"], ["b"]]);
	});

	test("gives up if the store is unreachable or takes longer than a second", async (context) => {
		const { buffer, target, after: advance } = setUp(context);
		target.away = true;
		buffer.add(record("a"));
		await buffer.settle();
		await buffer.settle();
		assert.deepEqual(target.batches, []);
		target.away = false;
		target.held = new Promise(() => {});
		await advance(100);
		const slow = buffer.settle();
		await advance(1_000);
		await slow;
		assert.equal(target.underWay, 1);
	});

	test("on Workers waits for the record that the same request added", async (context) => {
		const background: Background = { run: (_, work) => void work() };
		const { buffer, target } = setUp(context, { immediate: background });
		buffer.add({ ...record("a"), id: "1" });
		await settle();
		let release = () => {};
		target.held = new Promise((resolve) => {
			release = resolve;
		});
		buffer.add({ ...record("b"), id: "2" });
		await buffer.settle("1");
		const settled = buffer.settle("2");
		assert.deepEqual(target.batches, [["a"]]);
		release();
		await settled;
		assert.deepEqual(target.batches, [["a"], ["b"]]);
	});
});

describe("record buffer on a platform without timers after the response", () => {
	function collectWork() {
		const works: (() => Promise<unknown>)[] = [];
		const background: Background = { run: (_, work) => works.push(work) };
		return { works, background };
	}

	test("sends each record in background work, together with buffered ones", async (context) => {
		const works: Promise<unknown>[] = [];
		const background: Background = { run: (_, work) => works.push(work()) };
		const { buffer, target } = setUp(context, { immediate: background });
		buffer.add(record("a"));
		buffer.add(record("b"));
		await Promise.all(works);
		assert.deepEqual(target.batches, [["a", "b"]]);
	});

	test("retries records that could not be sent, then leaves them to the next request", async (context) => {
		const { works, background } = collectWork();
		const { buffer, target, after: advance } = setUp(context, { immediate: background });
		target.away = true;
		buffer.add(record("a"));
		const first = works.pop()?.();
		for (const delay of [100, 200, 400, 800]) {
			await settle();
			await advance(delay);
		}
		await first;
		target.away = false;
		buffer.add(record("b"));
		await works.pop()?.();
		assert.deepEqual(target.batches, [["a", "b"]]);
	});

	test("a request whose background work never ends does not block others", async (context) => {
		const { works, background } = collectWork();
		const sent: string[][] = [];
		let calls = 0;
		const { buffer } = setUp(context, {
			immediate: background,
			async send(records) {
				if (++calls === 1) return new Promise(() => {});
				sent.push(records.map((each) => each.workflow));
			},
		});
		buffer.add(record("a"));
		void works.pop()?.();
		await settle();
		buffer.add(record("b"));
		await works.pop()?.();
		assert.deepEqual(sent, [["b"]]);
	});

	test("a record added outside of a request is sent by the next request", async (context) => {
		const { works, background } = collectWork();
		let isInRequest = false;
		const immediate: Background = {
			run(name, work) {
				if (!isInRequest) throw new Error("no request");
				background.run(name, work);
			},
		};
		const { buffer, target } = setUp(context, { immediate });
		buffer.add(record("a"));
		isInRequest = true;
		buffer.add(record("b"));
		await works.pop()?.();
		assert.deepEqual(target.batches, [["a", "b"]]);
	});
});
