import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import type { Frame } from "../../src/frame.ts";
import { run } from "../../src/run.ts";
import {
	type Act,
	buildOptions,
	buildPlan,
	fails,
	gives,
	later,
	listStatuses,
	type Nodes,
	runNodes,
	type Triplet,
	waitsForAbort,
} from "./build.ts";

const one = gives(1);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("the deadline", () => {
	test("cancels what is in flight and starts no cleanup", async () => {
		const aborted: string[] = [];
		const started: string[] = [];
		const outcome = await runNodes(
			{ a: waitsForAbort(aborted), b: () => started.push("b") },
			[
				["a", "ALWAYS", "b"],
				["a", "ON_FAIL", "b"],
			],
			{ timeoutMs: 200 },
		);
		await pause(5);
		assert.equal(outcome.error, 'the run took longer than 200 ms while "a" was running');
		assert.equal(outcome.failedNode, undefined);
		assert.deepEqual(aborted, ["a"]);
		assert.deepEqual(started, []);
		assert.deepEqual(listStatuses(outcome), { a: "cancelled", b: "skipped" });
	});

	test("ends a run whose components never wait", () => {
		let now = 0;
		const outcome = runNodes({ a: () => (now += 2), b: () => (now += 2), c: one }, chain("a", "b", "c"), {
			clock: { now: () => now },
			timeoutMs: 3,
		});
		assert.ok(!(outcome instanceof Promise));
		assert.equal(outcome.error, "the run took longer than 3 ms");
		assert.deepEqual(listStatuses(outcome), { a: "success", b: "success", c: "skipped" });
	});

	test("names at most three of the nodes that were running", async () => {
		const nodes = Object.fromEntries(["a", "b", "c", "d", "e"].map((id) => [id, later(1_000)]));
		const outcome = await runNodes(nodes, [], { timeoutMs: 60 });
		assert.equal(outcome.error, 'the run took longer than 60 ms while "a", "b", "c" and 2 more were running');
	});

	test("cancels the elements of a loop", async () => {
		const aborted: string[] = [];
		const outcome = await runNodes(
			{ list: gives([1, 2]), body: waitsForAbort(aborted) },
			[["list", "FOREACH x", "body"]],
			{ timeoutMs: 200 },
		);
		assert.equal(outcome.error, 'the run took longer than 200 ms while "body[0]" and "body[1]" were running');
		assert.deepEqual(aborted, ["body", "body"]);
	});

	test("leaves no timer behind when the run ends in time", async () => {
		const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
		const outcome = await runNodes({ a: { act: later(1), timeoutMs: 50_000 } }, [], { timeoutMs: 60_000 });
		assert.equal(outcome.success, true);
		assert.equal(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length, before);
	});
});

describe("a cancellation", () => {
	test("cancels what is in flight", async () => {
		const aborted: string[] = [];
		const controller = new AbortController();
		const pending = runNodes({ a: waitsForAbort(aborted), b: one }, [["a", "ALWAYS", "b"]], {
			signal: controller.signal,
		});
		await pause(1);
		controller.abort();
		const outcome = await pending;
		assert.equal(outcome.error, "cancelled");
		assert.deepEqual(aborted, ["a"]);
		assert.deepEqual(listStatuses(outcome), { a: "cancelled", b: "skipped" });
	});

	test("before the start starts nothing", () => {
		const outcome = runNodes({ a: one }, [], { signal: AbortSignal.abort() });
		assert.ok(!(outcome instanceof Promise));
		assert.equal(outcome.error, "cancelled");
		assert.deepEqual(listStatuses(outcome), { a: "skipped" });
	});

	test("by a component of the run itself stops it", async () => {
		const controller = new AbortController();
		const cancels = () => {
			controller.abort();
			return 1;
		};
		const options = { signal: controller.signal };
		const outcome = await runNodes(
			{ a: cancels, b: one, c: later(1_000) },
			[["a", "ON_SUCCESS", "b"]],
			options,
		);
		assert.equal(outcome.error, "cancelled");
		assert.equal(listStatuses(outcome).b, "skipped");
	});

	test("by a later component stops concurrent nodes", async () => {
		const controller = new AbortController();
		const aborted: string[] = [];
		const cancels = () => {
			controller.abort();
			return 1;
		};
		const outcome = await runNodes(
			{ a: later(1), b: cancels, c: waitsForAbort(aborted) },
			[["a", "ON_SUCCESS", "b"]],
			{ signal: controller.signal, timeoutMs: 5_000 },
		);
		assert.equal(outcome.error, "cancelled");
		assert.deepEqual(aborted, ["c"]);
		assert.deepEqual(listStatuses(outcome), { a: "success", b: "success", c: "cancelled" });
	});

	test("after the end changes nothing", async () => {
		const controller = new AbortController();
		const outcome = await runNodes({ a: later(1, "ok") }, [], { signal: controller.signal });
		assert.equal(getEventListeners(controller.signal, "abort").length, 0);
		controller.abort();
		assert.equal(outcome.data, "ok");
	});
});

describe("the step budget", () => {
	test("counts every started node, and stops at the limit", async () => {
		const budget = { stepsLeft: 2 };
		const outcome = await runNodes({ a: one, b: one, c: one }, chain("a", "b", "c"), { budget });
		assert.equal(outcome.error, "more than 10000 steps");
		assert.equal(budget.stepsLeft, 0);
		assert.deepEqual(listStatuses(outcome), { a: "success", b: "success", c: "skipped" });
	});

	test("allows exactly that many nodes", async () => {
		const outcome = await runNodes({ a: one, b: one }, chain("a", "b"), { budget: { stepsLeft: 2 } });
		assert.equal(outcome.success, true);
	});

	test("stops a loop that is too long before its first element", async () => {
		let starts = 0;
		const outcome = await runNodes({ list: gives(Array(10_000).fill(0)), body: () => starts++ }, [
			["list", "FOREACH x", "body"],
		]);
		assert.equal(outcome.error, 'more than 10000 steps, most of them in the loop "list >> FOREACH x"');
		assert.equal(starts, 0);
	});

	test("names the loop that took most of them", async () => {
		const outcome = await runNodes(
			{ few: gives([1, 2]), small: one, many: gives(Array(50).fill(0)), first: one, second: one },
			[
				["few", "FOREACH x", "small"],
				["many", "FOREACH y", "first"],
				["first", "ON_SUCCESS", "second"],
			],
			{ budget: { stepsLeft: 60 } },
		);
		assert.equal(outcome.error, 'more than 10000 steps, most of them in the loop "many >> FOREACH y"');
	});
});

describe("a long run", () => {
	test("yields to other work after 500 nodes", async () => {
		let turns = 0;
		const timer = setInterval(() => turns++, 0);
		const outcome = runNodes(
			{ list: gives(Array(5_000).fill(0)), body: one },
			[["list", "FOREACH x", "body"]],
			{
				clock: { now: () => 0 },
				deadline: 1_000,
			},
		);
		assert.ok(outcome instanceof Promise);
		assert.equal((await outcome).success, true);
		clearInterval(timer);
		assert.ok(turns >= 5, `${turns} turns`);
	});

	test("yields to other work if answers resolve immediately", async () => {
		let turns = 0;
		const timer = setInterval(() => turns++, 0);
		await runNodes({ list: gives(Array(5_000).fill(0)), body: async () => 1 }, [
			["list", "FOREACH x", "body"],
		]);
		clearInterval(timer);
		assert.ok(turns >= 5, `${turns} turns`);
	});

	test("yields to other work after 10 ms", async () => {
		let now = 0;
		const slow = () => (now += 4);
		const options = { clock: { now: () => now } };
		const short = runNodes({ a: slow, b: slow }, chain("a", "b"), options);
		assert.ok(!(short instanceof Promise));
		const long = runNodes({ a: slow, b: slow, c: slow, d: slow }, chain("a", "b", "c", "d"), options);
		assert.ok(long instanceof Promise);
		assert.equal((await long).success, true);
	});
});

describe("a run that shares the thread", () => {
	/** Holds back all work until it is released. */
	function turns() {
		const waiting: (() => void)[] = [];
		return { waiting, run: (goOn: () => void) => void waiting.push(goOn), later: setImmediate };
	}

	test("continues after an answer when it is its turn", async () => {
		const shared = turns();
		const outcome = runNodes({ a: later(1, "ok"), b: gives(1) }, [["a", "ON_SUCCESS", "b"]], {
			turns: shared,
		});
		let ended = false;
		void Promise.resolve(outcome).then(() => (ended = true));
		while (shared.waiting.length === 0 && !ended) await pause(1);
		await pause(5);
		assert.equal(ended, false);
		shared.waiting.shift()?.();
		assert.equal((await outcome).data, 1);
	});

	test("ignores an answer that is too late when its turn comes", async () => {
		const shared = turns();
		const outcome = runNodes({ a: { act: later(1, "ok"), timeoutMs: 10 } }, [], { turns: shared });
		assert.equal((await outcome).error, "a: timed out after 10 ms");
		for (const goOn of shared.waiting) goOn();
		assert.equal((await outcome).error, "a: timed out after 10 ms");
	});
});

describe("outputs", () => {
	const runForError = async (output: unknown) => (await runNodes({ a: gives(output) })).error;
	const MIB = 1_048_576;

	test("are at most 1 MiB as JSON", async () => {
		const tooLarge = "a: the output is larger than 1 MiB as JSON";
		assert.equal(await runForError("x".repeat(MIB - 2)), undefined);
		assert.equal(await runForError("x".repeat(MIB - 1)), tooLarge);
		assert.equal(await runForError("ü".repeat(MIB / 2 - 1)), undefined);
		assert.equal(await runForError("ü".repeat(MIB / 2)), tooLarge);
		assert.equal(await runForError("\n".repeat(MIB / 2)), tooLarge);
		assert.equal(await runForError(Array(MIB / 2 - 1).fill(1)), undefined);
		assert.equal(await runForError(Array(MIB / 2 + 1).fill(1)), tooLarge);
		assert.equal(await runForError({ ["k".repeat(MIB)]: 1 }), tooLarge);
		assert.equal(await runForError(new Array(4_000_000_000)), tooLarge);
	});

	test("that are large because of repetition are rejected early", async () => {
		let bomb: unknown = "boom";
		for (let level = 0; level < 60; level++) bomb = [bomb, bomb];
		assert.equal(await runForError(bomb), "a: the output is larger than 1 MiB as JSON");
	});

	test("have undefined replaced by null at any depth", async () => {
		assert.equal((await runNodes({ a: gives(undefined) })).data, null);
		const frozen = Object.freeze({ a: undefined, b: [undefined, { c: undefined }], d: 1 });
		const { data } = await runNodes({ a: gives(frozen) });
		assert.deepEqual(data, { a: null, b: [null, { c: null }], d: 1 });
		assert.equal(frozen.a, undefined);
	});

	test("keep a key named __proto__", async () => {
		const { data } = await runNodes({ a: gives(JSON.parse('{"__proto__": {"x": 1}}')) });
		assert.equal(JSON.stringify(data), '{"__proto__":{"x":1}}');
		const output = Object.assign(JSON.parse('{"__proto__": {"x": 1}}'), { hole: undefined });
		const filled = await runNodes({ a: gives(output) });
		assert.equal(JSON.stringify(filled.data), '{"__proto__":{"x":1},"hole":null}');
	});

	test("that are not JSON fail the node with the reason", async () => {
		assert.equal(
			await runForError({ f: () => 1 }),
			"a: the output contains a function, which JSON cannot represent",
		);
		assert.equal(await runForError([1n]), "a: the output contains a bigint, which JSON cannot represent");
		assert.equal(
			await runForError(Symbol("s")),
			"a: the output contains a symbol, which JSON cannot represent",
		);
		assert.equal(
			await runForError(Number.NaN),
			"a: the output contains the number NaN, which JSON cannot represent",
		);
		assert.equal(
			await runForError({ n: -1 / 0 }),
			"a: the output contains the number -Infinity, which JSON cannot represent",
		);
		for (const odd of [new Date(), new Map(), new Error("x"), new Uint8Array(2)]) {
			assert.equal(
				await runForError({ odd }),
				"a: the output contains an object that is neither a list nor a plain object, which JSON cannot represent",
			);
		}
	});

	test("that contain themselves fail the node", async () => {
		const self: unknown[] = [];
		self.push({ self });
		assert.equal(await runForError(self), "a: the output contains itself or nests deeper than 128 levels");
	});

	test("are also checked if asynchronous, and never retried", async () => {
		const outcome = await runNodes({ a: { act: later(1, 1n), retry: { max: 3, delay_ms: 0 } } });
		assert.equal(outcome.error, "a: the output contains a bigint, which JSON cannot represent");
		assert.equal(outcome.nodes[0]?.attempts, 1);
	});

	test("of all ends together are at most 4 MiB", async () => {
		const large = gives("x".repeat(MIB - 100));
		const four = await runNodes({ a: large, b: large, c: large, d: large });
		assert.equal(four.success, true);
		const five = await runNodes({ a: large, b: large, c: large, d: large, e: large });
		assert.equal(five.error, "the result is larger than 4 MiB as JSON");
		assert.equal(five.data, null);
	});

	describe("that are new take at most 64 MiB of memory per run", () => {
		const text = "x".repeat(MIB - 2);
		const hundred: Nodes = { list: gives(Array(100).fill(0)) };
		const body: Triplet[] = [["list", "FOREACH x", "body"]];
		const refused =
			/the run holds 6[34]\.\d MiB of data and this would add [01]\.\d MiB: the limit is 64 MiB$/;
		const makes =
			(bytes: number, output: unknown): Act =>
			(_frame, { meter }) => {
				meter.recordBytes(bytes);
				return output;
			};

		test("counts what nodes create", async () => {
			const { error } = await runNodes({ ...hundred, body: makes(2 * MIB, text) }, body);
			assert.match(error ?? "", refused);
			assert.match(error ?? "", /^body\[63\]: /);
		});

		test("counts what comes from outside", async () => {
			const asks: Act = (_frame, call) => Promise.resolve(call.effects).then(() => text);
			assert.match((await runNodes({ ...hundred, body: asks }, body)).error ?? "", refused);
		});

		test("does not count data that is passed through or released", async () => {
			assert.equal((await runNodes({ ...hundred, body: gives(text) }, body)).success, true);
			assert.equal((await runNodes({ ...hundred, body: makes(9 * MIB, "short") }, body)).success, true);
		});

		test("counts wide characters twice", async () => {
			const wide = `€${"x".repeat(MIB / 2)}`;
			const { error } = await runNodes({ ...hundred, body: makes(9 * MIB, wide) }, body);
			assert.match(error ?? "", /^body\[63\]: /);
		});

		test("counts parameters while the node runs", async () => {
			let underWay = 0;
			let ms = 10_000;
			const waits: Act = async () => {
				underWay++;
				await new Promise((resolve) => setTimeout(resolve, ms).unref());
				return null;
			};
			const plan = buildPlan({ ...hundred, body: waits }, body);
			const resolve = (frame: Frame) => {
				frame.roots.meter.recordBytes(2 * MIB);
				return { text };
			};
			const nodes = plan.nodes.map((node) => (node.id === "body" ? { ...node, resolve } : node));
			const atOnce = nodes.map((node) => ({ ...node, concurrency: 100 }));
			assert.match((await run({ ...plan, nodes: atOnce }, buildOptions())).error ?? "", refused);
			assert.equal(underWay, 63);
			ms = 1;
			assert.equal((await run({ ...plan, nodes }, buildOptions())).success, true);
		});

		test("releases the memory of a called run when it ends", async () => {
			const budget = { stepsLeft: 1_000, heldBytes: 5 };
			await runNodes({ ...hundred, body: makes(MIB, text) }, body, { budget });
			assert.equal(budget.heldBytes, 5);
		});
	});
});

describe("a run never throws", () => {
	test("when the parameters cannot be resolved: the node fails", async () => {
		const plan = buildPlan({ a: one }, []);
		const nodes = plan.nodes.map((node) => ({ ...node, resolve: fails("no such value") as never }));
		const outcome = await run({ ...plan, nodes }, buildOptions());
		assert.equal(outcome.error, "a: no such value");
	});

	test("when the plan is broken", async () => {
		const plan = buildPlan({ a: one }, []);
		const outcome = await run({ ...plan, region: { members: [7], starts: [7] } }, buildOptions());
		assert.match(outcome.error ?? "", /^the run failed unexpectedly: /);
	});
});

function chain(...ids: string[]): Triplet[] {
	return ids.slice(1).map((id, index) => [ids[index] as string, "ON_SUCCESS", id]);
}
