import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { nodeSandbox } from "../src/sandbox.node.ts";
import type { SandboxJob } from "../src/sandbox.ts";
import { sandboxContract } from "./contracts/sandbox.ts";

const limits = { timeoutMs: 2000, memoryBytes: 32 * 2 ** 20, outputBytes: 2 ** 20 };
const job = (code: string, more: Partial<SandboxJob> = {}): SandboxJob => ({
	code,
	input: "{}",
	limits,
	...more,
});
const unaborted = new AbortController().signal;

/** Runs long without asking whether it may go on. */
const NATIVE_LOOP = "const a = []; a.length = 2 ** 32 - 1; return a.join()";

describe("sandbox on Node", () => {
	const sandbox = nodeSandbox({ threads: 1 });
	after(() => sandbox.close());
	for (const { name, run } of sandboxContract) test(name, () => run(sandbox));

	test("computing code is stopped when it is aborted", async () => {
		for (const code of ["for (;;);", NATIVE_LOOP]) {
			const started = performance.now();
			const limits30s = { ...limits, timeoutMs: 30_000 };
			const signal = AbortSignal.timeout(50);
			await assert.rejects(sandbox.run(job(code, { limits: limits30s }), signal), { name: "TimeoutError" });
			const next = await sandbox.run(job("return 1"), unaborted);
			assert.ok(next.ok && next.output === "1");
			assert.ok(performance.now() - started < 5000);
		}
	});

	test("waiting code continues after other code in its thread was stopped", async () => {
		const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
		const { promise: answer, resolve: giveAnswer } = Promise.withResolvers<string>();
		const http = () => {
			isAsked();
			return answer;
		};
		const waits = sandbox.run(job("return await http(1)", { http }), unaborted);
		await asked;
		const limitsShort = { ...limits, timeoutMs: 300 };
		const stopped = sandbox.run(job(NATIVE_LOOP, { limits: limitsShort }), AbortSignal.timeout(50));
		await assert.rejects(stopped, { name: "TimeoutError" });
		giveAnswer("7");
		const outcome = await waits;
		assert.ok(outcome.ok && outcome.output === "7");
	});

	test("owners take turns, and an owner that already computes cannot use the last free thread", async () => {
		const shared = nodeSandbox({ threads: 2 });
		const gone = new AbortController();
		try {
			const long = { ...limits, timeoutMs: 20_000 };
			const loops = Array.from({ length: 6 }, () =>
				shared.run(job("for (;;);", { owner: "busy", limits: long }), gone.signal).catch(() => null),
			);
			const started = performance.now();
			for (let nth = 0; nth < 3; nth++) {
				const outcome = await shared.run(job("return 1", { owner: "quiet" }), unaborted);
				assert.ok(outcome.ok && outcome.output === "1");
			}
			assert.ok(performance.now() - started < 10_000);
			gone.abort();
			await Promise.all(loops);
		} finally {
			await shared.close();
		}
	});

	test("an owner cannot fill the queue for others", async () => {
		const shared = nodeSandbox({ threads: 1 });
		const gone = new AbortController();
		try {
			const many = Array.from({ length: 600 }, () =>
				shared.run(job("return 1", { owner: "busy" }), gone.signal).then(
					() => "ran",
					(error: Error) => error.message,
				),
			);
			const other = shared.run(job("return 2", { owner: "quiet" }), unaborted);
			assert.ok((await other).ok);
			gone.abort();
			assert.ok((await Promise.all(many)).some((said) => /too many code jobs/.test(said)));
		} finally {
			await shared.close();
		}
	});

	test("waiting jobs run in order, or are dropped when aborted", async () => {
		const ended: number[] = [];
		const dropped = new AbortController();
		const runs = Array.from({ length: 20 }, async (_, index) => {
			const signal = index === 10 ? dropped.signal : unaborted;
			const outcome = await sandbox.run(job(`return ${index}`), signal).catch(() => null);
			ended.push(outcome?.ok ? Number(outcome.output) : -1);
		});
		dropped.abort();
		await Promise.all(runs);
		assert.deepEqual(
			ended,
			[-1, ...Array(20).keys()].filter((index) => index !== 10),
		);
	});

	test("two threads compute in parallel", async () => {
		const both = nodeSandbox({ threads: 2 });
		const patient = { limits: { ...limits, timeoutMs: 30_000 } };
		const slow = job("for (let i = 0; i < 3e6; i++); return Date.now()", patient);
		const outcomes = await Promise.all([both.run(slow, unaborted), both.run(slow, unaborted)]);
		assert.ok(outcomes.every(({ ok }) => ok));
		await both.close();
	});

	test("closing ends running and waiting jobs and rejects new ones", async () => {
		const closing = nodeSandbox({ threads: 1 });
		const runs = [closing.run(job("for (;;);"), unaborted), closing.run(job("return 1"), unaborted)];
		const results = Promise.allSettled(runs);
		await closing.close();
		for (const result of await results) {
			assert.equal(result.status === "rejected" && String(result.reason), "Error: the sandbox is closed");
		}
		await assert.rejects(closing.run(job("return 1"), unaborted), /the sandbox is closed/);
	});

	test("a process with nothing else to do exits after its jobs", async () => {
		const adapter = new URL("../src/sandbox.node.ts", import.meta.url);
		const script = `
			import { nodeSandbox } from ${JSON.stringify(adapter)};
			const job = { code: "return 6 * 7", input: "{}", limits: ${JSON.stringify(limits)} };
			nodeSandbox().run(job, new AbortController().signal).then(({ output }) => console.log(output));
		`;
		const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
		const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
		assert.equal(stdout, "42\n");
	});
});
