import { MAX_DESCRIPTION_BYTES } from "@tripline/contract/openapi";
import { MAX_DESCRIPTION_UNITS } from "@tripline/openapi/description";
import type { DescriptionJob, DescriptionOutcome } from "@tripline/openapi/job";
import { type DescriptionReader, ReaderBusy, toProblem } from "./descriptions.ts";
import { runInThread, threadQueue } from "./thread-queue.node.ts";

const MIB = 1024 * 1024;
/** A description becomes up to twenty times as large in memory. */
const MAX_THREADS = 1;
const MAX_WAITING = 64;
const MAX_WAITING_PER_OWNER = 4;
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_MEMORY_BYTES = 640 * MIB;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };

/** Reads each description in a thread of its own, which is ended when that takes too long or too much memory. */
export function nodeDescriptions({
	timeoutMs = DEFAULT_TIMEOUT_MS,
}: {
	timeoutMs?: number;
} = {}): DescriptionReader {
	const queue = threadQueue({
		maxThreads: MAX_THREADS,
		maxWaiting: MAX_WAITING,
		maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
		createBusyError: () => new ReaderBusy("too many descriptions are waiting to be read; try again later"),
	});
	return {
		maxBytes: MAX_DESCRIPTION_BYTES,
		read: ({ owner, content, request, location }, signal) =>
			queue.run(owner, signal, (stop) =>
				runInThread<DescriptionOutcome>(
					{
						entry: new URL("./descriptions-entry.node.ts", import.meta.url),
						message: { content, request, location, maxUnits: MAX_DESCRIPTION_UNITS } satisfies DescriptionJob,
						transfer: [content.buffer],
						timeoutMs,
						maxMemoryBytes: MAX_MEMORY_BYTES,
						heapLimits: HEAP_LIMITS,
						tooLong: toProblem(`reading the description took longer than ${timeoutMs / 1000} s`),
						tooMuchMemory: toProblem("the description needs too much memory to read"),
					},
					stop,
				),
			),
		close: queue.close,
	};
}
