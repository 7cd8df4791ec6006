import { Worker } from "node:worker_threads";
import { FairQueue } from "./fair-queue.ts";
import type { PdfJob, PdfOutcome, PdfReader } from "./pdf.ts";
import type { PdfRequest } from "./pdf-entry.node.ts";
import { THREAD_OPTIONS } from "./thread.node.ts";

const MIB = 1024 * 1024;
const MAX_BYTES = 32 * MIB;
/** Each may use all of its memory. */
const MAX_THREADS = 2;
const MAX_WAITING = 256;
const MAX_WAITING_PER_OWNER = 32;
/** Including the start of the thread. */
const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_MEMORY_BYTES = 256 * MIB;
const MEMORY_CHECK_MS = 50;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

interface Task {
	readonly owner: string;
	begin(): void;
}

/** Reads each file in a thread of its own, which is ended with all it holds when the file takes too long or too much. */
export function nodePdf({ timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {}): PdfReader {
	const waiting = new FairQueue<Task>();
	const closing = new AbortController();
	const running = new Set<Promise<PdfOutcome>>();
	/** Jobs whose turn it is; each has at most one thread. */
	let active = 0;

	function dispatch(): void {
		while (active < MAX_THREADS && waiting.size > 0) waiting.shift()?.begin();
	}

	return {
		maxBytes: MAX_BYTES,
		async read(job, signal) {
			const stop = AbortSignal.any([signal, closing.signal]);
			stop.throwIfAborted();
			const { owner = "" } = job;
			if (waiting.size >= MAX_WAITING || waiting.countFor(owner) >= MAX_WAITING_PER_OWNER)
				throw new Error("too many PDF files are waiting to be read; try again later");
			await waitForTurn(owner, stop);
			const reading = readInThread(job, timeoutMs, stop);
			running.add(reading);
			try {
				return await reading;
			} finally {
				running.delete(reading);
				active--;
				dispatch();
			}
		},
		async close() {
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

async function readInThread(job: PdfJob, timeoutMs: number, stop: AbortSignal): Promise<PdfOutcome> {
	const data = await job.content();
	stop.throwIfAborted();
	const worker = new Worker(new URL("./pdf-entry.node.ts", import.meta.url), {
		...THREAD_OPTIONS,
		resourceLimits: HEAP_LIMITS,
		// Messages of the library are not for the service's log.
		stdout: true,
		stderr: true,
	});
	const { promise, resolve, reject } = Promise.withResolvers<PdfOutcome>();
	const abort = () => reject(stop.reason);
	stop.addEventListener("abort", abort, { once: true });
	worker.on("message", resolve);
	worker.on("error", (error: NodeJS.ErrnoException) =>
		error.code === "ERR_WORKER_OUT_OF_MEMORY" ? resolve(TOO_MUCH_MEMORY) : reject(error),
	);
	worker.on("exit", () => reject(new Error("the thread that read the PDF has ended")));
	const timer = setTimeout(() => resolve(createTimeout(timeoutMs)), timeoutMs);
	// The thread's own limits do not count buffers.
	const watch = setInterval(async () => {
		const { used_heap_size: heap, external_memory: buffers } = await worker
			.getHeapStatistics()
			.catch(() => ({ used_heap_size: 0, external_memory: 0 }));
		if (heap + buffers > MAX_MEMORY_BYTES) resolve(TOO_MUCH_MEMORY);
	}, MEMORY_CHECK_MS);
	try {
		worker.postMessage({ data, pages: job.pages } satisfies PdfRequest, [data.buffer]);
		return await promise;
	} finally {
		clearTimeout(timer);
		clearInterval(watch);
		stop.removeEventListener("abort", abort);
		await worker.terminate();
	}
}

const TOO_MUCH_MEMORY: PdfOutcome = { ok: false, error: "the PDF needs too much memory to read" };

const createTimeout = (timeoutMs: number): PdfOutcome => ({
	ok: false,
	error: `reading the PDF took longer than ${timeoutMs / 1000} s; choose fewer pages`,
});
