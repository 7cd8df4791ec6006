import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { nodeSandbox } from "../src/sandbox.node.ts";
import type { SandboxJob } from "../src/sandbox.ts";

const job = (code: string): SandboxJob => ({
	code,
	input: "{}",
	limits: { timeoutMs: 20_000, memoryBytes: 8 * 2 ** 20, outputBytes: 2 ** 20 },
});

/** Blocks this thread, so that its timers and messages are handled late. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe("sandbox threads", () => {
	const sandbox = nodeSandbox({ threads: 1 });
	after(() => sandbox.close());

	test("a thread that is being ended takes no more jobs, even if it reports that it is free", async () => {
		const unaborted = new AbortController().signal;
		assert.ok((await sandbox.run(job("return 1"), unaborted)).ok);
		const gone = new AbortController();
		const stopped = assert.rejects(sandbox.run(job("for (;;);"), gone.signal), { name: "AbortError" });
		const next = sandbox.run(job("const all = []; for (;;) all.push(new Array(1e5).fill(1));"), unaborted);
		// Timers come next in the event loop, then the messages of threads.
		await setImmediate();
		gone.abort();
		block(300);
		await stopped;
		assert.deepEqual(await next, {
			ok: false,
			reason: "memory",
			error: "the code needs more than its limit of 8 MiB of memory",
			log: [],
		});
	});
});
