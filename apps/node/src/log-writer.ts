import { writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { LogFields } from "@tripline/platform/log";

const STDERR = 2;
const FLUSH_MS = 20;
const FLUSH_LENGTH = 64 * 1024;
/** Characters buffered for a stalled reader. Further lines are counted and dropped. */
const MAX_KEPT_LENGTH = 1024 * 1024;
/** A reader that keeps up empties a full pipe soon. A stalled one is tried less and less often. */
const MIN_RETRY_MS = 5;
const MAX_RETRY_MS = 100;
/** How long the process waits at exit for a stalled reader. */
const MAX_END_MS = 1000;
const END_RETRY_MS = 10;
const NOTHING = Buffer.alloc(0);

export interface LogWriter {
	write(line: string): void;
	/** Writes the remaining lines, as far as the reader accepts them in time. */
	end(): void;
}

/**
 * Batches lines for some milliseconds, because a system call per request would cost more than its log line. It never
 * waits for the reader: a stalled reader costs log lines, not requests. `ownFields` are those of its own lines.
 */
export function stderrWriter(clock: Clock, ownFields?: LogFields): LogWriter {
	let buffered = "";
	let unsent = NOTHING;
	/** Since the last report. After the first dropped line all are dropped, so that the report marks the gap. */
	let dropped = 0;
	let timer: NodeJS.Timeout | undefined;
	let retryMs = MIN_RETRY_MS;

	return {
		write(line) {
			if (dropped > 0 || buffered.length + line.length > MAX_KEPT_LENGTH) {
				dropped++;
				return;
			}
			buffered += line;
			if (unsent.length > 0) return;
			if (buffered.length >= FLUSH_LENGTH) flush();
			else timer ??= setTimeout(flush, FLUSH_MS);
		},
		end() {
			clearTimeout(timer);
			const began = Date.now();
			while (!send() && Date.now() - began < MAX_END_MS) pause(END_RETRY_MS);
		},
	};

	function flush(): void {
		clearTimeout(timer);
		timer = send() ? undefined : setTimeout(flush, retryMs).unref();
		retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
	}

	/** Whether everything is written. */
	function send(): boolean {
		for (;;) {
			if (unsent.length === 0) {
				if (dropped > 0) buffered += buildDroppedLine();
				if (buffered === "") return true;
				unsent = Buffer.from(buffered);
				buffered = "";
			}
			try {
				stopBlocking();
				unsent = unsent.subarray(writeSync(STDERR, unsent));
				retryMs = MIN_RETRY_MS;
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false;
				// A closed pipe or a full disk must not stop the service.
				unsent = NOTHING;
			}
		}
	}

	function buildDroppedLine(): string {
		const fields = { time: toIsoTime(clock.now()), level: "warn", message: "log lines were dropped" };
		const line = `${JSON.stringify({ ...fields, ...ownFields, count: dropped })}\n`;
		dropped = 0;
		return line;
	}
}

/**
 * Writes the lines of another process. If processes shared one pipe, lines would be mixed up that are longer than it
 * takes at once.
 */
export function forwardLines(from: Readable, write: (line: string) => void): void {
	let rest = "";
	from.setEncoding("utf8");
	from.on("data", (text: string) => {
		const lines = (rest + text).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) write(`${line}\n`);
	});
	from.on("end", () => {
		if (rest !== "") write(`${rest}\n`);
	});
}

/**
 * Called before every write: a child process that inherits a pipe makes it blocking for all processes that share it.
 * Node has no public API for this. Files have no such handle and need none.
 */
function stopBlocking(): void {
	const { _handle } = process.stderr as { _handle?: { setBlocking?(isBlocking: boolean): void } };
	_handle?.setBlocking?.(false);
}

function pause(milliseconds: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
