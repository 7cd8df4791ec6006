import type { MailRequest } from "./mail-entry.node.ts";
import type { ParsedMail } from "./mailboxes.ts";
import { runInThread, threadQueue } from "./thread-queue.node.ts";

const MIB = 1024 * 1024;
const MAX_THREADS = 2;
const MAX_WAITING = 10_000;
const TIMEOUT_MS = 20_000;
const MAX_MEMORY_BYTES = 256 * MIB;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Parses each mail in a thread of its own, which is ended when the mail takes too long or too much. */
export function mailReader({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}) {
	const queue = threadQueue({
		maxThreads: MAX_THREADS,
		maxWaiting: MAX_WAITING,
		maxWaitingPerOwner: MAX_WAITING,
		createBusyError: () => new Error("too many mails are waiting to be read"),
	});
	return {
		/** Null if it takes too long or too much memory. */
		parse: (owner: string, message: MailRequest, signal: AbortSignal): Promise<ParsedMail | null> =>
			queue.run(owner, signal, (stop) =>
				runInThread<ParsedMail | null>(
					{
						entry: new URL("./mail-entry.node.ts", import.meta.url),
						message,
						transfer: [message.source.buffer],
						timeoutMs,
						maxMemoryBytes: MAX_MEMORY_BYTES,
						heapLimits: HEAP_LIMITS,
						tooLong: null,
						tooMuchMemory: null,
					},
					stop,
				),
			),
		close: queue.close,
	};
}
