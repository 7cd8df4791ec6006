import type { PdfOutcome, PdfReader } from "./pdf.ts";
import type { PdfRequest } from "./pdf-entry.node.ts";
import { runInThread, threadQueue } from "./thread-queue.node.ts";

const MIB = 1024 * 1024;
const MAX_BYTES = 32 * MIB;
const MAX_THREADS = 2;
const MAX_WAITING = 256;
const MAX_WAITING_PER_OWNER = 32;
/** Including the start of the thread. */
const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_MEMORY_BYTES = 256 * MIB;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Reads each file in a thread of its own, which is ended with all it holds when the file takes too long or too much. */
export function nodePdf({ timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {}): PdfReader {
	const queue = threadQueue({
		maxThreads: MAX_THREADS,
		maxWaiting: MAX_WAITING,
		maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
		createBusyError: () => new Error("too many PDF files are waiting to be read; try again later"),
	});
	return {
		maxBytes: MAX_BYTES,
		read: (job, signal) =>
			queue.run(job.owner ?? "", signal, async (stop) => {
				const data = await job.content();
				return runInThread<PdfOutcome>(
					{
						entry: new URL("./pdf-entry.node.ts", import.meta.url),
						message: { data, pages: job.pages } satisfies PdfRequest,
						transfer: [data.buffer],
						timeoutMs,
						maxMemoryBytes: MAX_MEMORY_BYTES,
						heapLimits: HEAP_LIMITS,
						tooLong: {
							ok: false,
							error: `reading the PDF took longer than ${timeoutMs / 1000} s; choose fewer pages`,
						},
						tooMuchMemory: { ok: false, error: "the PDF needs too much memory to read" },
					},
					stop,
				);
			}),
		close: queue.close,
	};
}
