import { Worker } from "node:worker_threads";
import { FairQueue } from "./fair-queue.ts";
import { THREAD_OPTIONS } from "./thread.node.ts";

interface Task {
	readonly owner: string;
	begin(): void;
}

interface QueueLimits {
	/** Each may use all of its memory. */
	readonly maxThreads: number;
	readonly maxWaiting: number;
	readonly maxWaitingPerOwner: number;
	/** The error if there are more. */
	createBusyError(): Error;
}

/** Runs jobs, each in a thread of its own, a few at a time; owners are served in turn. */
export function threadQueue({ maxThreads, maxWaiting, maxWaitingPerOwner, createBusyError }: QueueLimits) {
	const waiting = new FairQueue<Task>();
	const closing = new AbortController();
	const running = new Set<Promise<unknown>>();
	/** Jobs whose turn it is; each has at most one thread. */
	let active = 0;

	function dispatch(): void {
		while (active < maxThreads && waiting.size > 0) waiting.shift()?.begin();
	}

	return {
		async run<Outcome>(
			owner: string,
			signal: AbortSignal,
			work: (stop: AbortSignal) => Promise<Outcome>,
		): Promise<Outcome> {
			const stop = AbortSignal.any([signal, closing.signal]);
			stop.throwIfAborted();
			if (waiting.size >= maxWaiting || waiting.countFor(owner) >= maxWaitingPerOwner)
				throw createBusyError();
			await waitForTurn(owner, stop);
			const working = work(stop);
			running.add(working);
			try {
				return await working;
			} finally {
				running.delete(working);
				active--;
				dispatch();
			}
		},
		async close(): Promise<void> {
			closing.abort(new Error("the service is stopping"));
			await Promise.allSettled(running);
		},
	};

	function waitForTurn(owner: string, stop: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const task: Task = {
				owner,
				begin() {
					active++;
					stop.removeEventListener("abort", abort);
					resolve();
				},
			};
			const abort = () => {
				waiting.delete(task);
				reject(stop.reason);
			};
			stop.addEventListener("abort", abort, { once: true });
			waiting.push(task);
			dispatch();
		});
	}
}

interface ThreadJob<Outcome> {
	/** The file that the thread runs. It gets one message and answers with the outcome. */
	readonly entry: URL;
	readonly message: unknown;
	readonly transfer: readonly ArrayBuffer[];
	/** Including the start of the thread. */
	readonly timeoutMs: number;
	readonly maxMemoryBytes: number;
	readonly heapLimits: {
		readonly maxOldGenerationSizeMb: number;
		readonly maxYoungGenerationSizeMb: number;
		readonly stackSizeMb: number;
	};
	readonly tooLong: Outcome;
	readonly tooMuchMemory: Outcome;
}

const MEMORY_CHECK_MS = 50;

/** Runs one job in a thread, which is ended with all it holds when that takes too long or too much. */
export async function runInThread<Outcome>(job: ThreadJob<Outcome>, stop: AbortSignal): Promise<Outcome> {
	stop.throwIfAborted();
	const worker = new Worker(job.entry, {
		...THREAD_OPTIONS,
		resourceLimits: job.heapLimits,
		// Messages of libraries are not for the service's log.
		stdout: true,
		stderr: true,
	});
	const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
	const abort = () => reject(stop.reason);
	stop.addEventListener("abort", abort, { once: true });
	worker.on("message", resolve);
	worker.on("error", (error: NodeJS.ErrnoException) =>
		error.code === "ERR_WORKER_OUT_OF_MEMORY" ? resolve(job.tooMuchMemory) : reject(error),
	);
	worker.on("exit", () => reject(new Error("the thread has ended before its job")));
	const timer = setTimeout(() => resolve(job.tooLong), job.timeoutMs);
	// The thread's own limits do not count buffers.
	const watch = setInterval(async () => {
		const { used_heap_size: heap, external_memory: buffers } = await worker
			.getHeapStatistics()
			.catch(() => ({ used_heap_size: 0, external_memory: 0 }));
		if (heap + buffers > job.maxMemoryBytes) resolve(job.tooMuchMemory);
	}, MEMORY_CHECK_MS);
	try {
		worker.postMessage(job.message, job.transfer);
		return await promise;
	} finally {
		clearTimeout(timer);
		clearInterval(watch);
		stop.removeEventListener("abort", abort);
		await worker.terminate();
	}
}
