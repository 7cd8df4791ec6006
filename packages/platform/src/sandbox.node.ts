import { availableParallelism } from "node:os";
import type { Sandbox, SandboxOutcome } from "./sandbox.ts";
import { Task, Thread } from "./sandbox-thread.node.ts";

const MAX_WAITING = 1024;

/** Runs code in threads of this process, which are started when there is something to run. */
export function nodeSandbox({ threads = defaultThreads() }: { threads?: number } = {}): Sandbox {
	const running = new Set<Thread>();
	const waiting: Task[] = [];
	let isClosed = false;

	function dispatch(): void {
		for (const thread of running) thread.next(waiting);
		if (waiting.length > 0 && running.size < threads) start().next(waiting);
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
			if (isClosed) throw closed();
			if (waiting.length >= MAX_WAITING) throw new Error("too much code waits to be run; try again later");
			const { promise, resolve, reject } = Promise.withResolvers<SandboxOutcome>();
			const task = new Task(job, resolve, reject);
			const abort = () => {
				reject(signal.reason);
				const place = waiting.indexOf(task);
				if (place >= 0) waiting.splice(place, 1);
				else task.thread?.abort(task);
			};
			signal.addEventListener("abort", abort, { once: true });
			waiting.push(task);
			dispatch();
			return promise.finally(() => signal.removeEventListener("abort", abort));
		},
		async close() {
			isClosed = true;
			for (const task of waiting.splice(0)) task.reject(closed());
			await Promise.all([...running].map((thread) => thread.end(closed())));
		},
	};
}

const defaultThreads = () => Math.min(2, Math.max(1, availableParallelism() - 1));
const closed = () => new Error("the sandbox is closed");
