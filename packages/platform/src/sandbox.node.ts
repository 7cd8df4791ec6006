import { availableParallelism } from "node:os";
import { FairQueue } from "./fair-queue.ts";
import type { Sandbox, SandboxOutcome } from "./sandbox.ts";
import { Task, Thread } from "./sandbox-thread.node.ts";

const MAX_WAITING = 4096;
const MAX_WAITING_PER_OWNER = 512;

/**
 * Runs code in threads of this process, which are started on demand. One owner's code may use all threads but one, so
 * that there is always a thread for other owners.
 */
export function nodeSandbox({ threads = countThreads() }: { threads?: number } = {}): Sandbox & {
	/** The threads that are running, and the jobs that wait for one. */
	count(): { readonly threads: number; readonly waiting: number };
} {
	const running = new Set<Thread>();
	const waiting = new FairQueue<Task>();
	let isClosed = false;

	function dispatch(): void {
		for (const thread of running) thread.takeNext(waiting, mayCompute);
		if (waiting.size > 0 && running.size < threads) start().takeNext(waiting, mayCompute);
	}

	function mayCompute(owner: string): boolean {
		let computing = 0;
		for (const thread of running) if (thread.isComputing(owner)) computing++;
		return computing < Math.max(1, threads - 1);
	}

	function start(): Thread {
		const thread = new Thread(dispatch, () => {
			running.delete(thread);
			dispatch();
		});
		running.add(thread);
		return thread;
	}

	return {
		async run(job, signal) {
			signal.throwIfAborted();
			if (isClosed) throw createClosedError();
			const { promise, resolve, reject } = Promise.withResolvers<SandboxOutcome>();
			const task = new Task(job, resolve, reject);
			if (waiting.size >= MAX_WAITING || waiting.countFor(task.owner) >= MAX_WAITING_PER_OWNER)
				throw new Error("too many code jobs are waiting; try again later");
			const abort = () => {
				reject(signal.reason);
				if (!waiting.delete(task)) task.thread?.abort(task);
			};
			signal.addEventListener("abort", abort, { once: true });
			waiting.push(task);
			dispatch();
			return promise.finally(() => signal.removeEventListener("abort", abort));
		},
		async close() {
			isClosed = true;
			for (const task of waiting.clear()) task.reject(createClosedError());
			await Promise.all([...running].map((thread) => thread.end(createClosedError())));
		},
		count: () => ({ threads: running.size, waiting: waiting.size }),
	};
}

const countThreads = () => Math.min(3, Math.max(2, availableParallelism()));
const createClosedError = () => new Error("the sandbox is closed");
