import { writeSync } from "node:fs";
import { type Clock, isoTime } from "@tripline/platform/clock";

const STDERR = 2;
const FLUSH_MS = 20;
const FLUSH_LENGTH = 64 * 1024;
/** Lines kept for a reader that stalls, in characters; those that come on top are counted and dropped. */
const MAX_KEPT = 1024 * 1024;
const RETRY_MS = 100;
/** How long the end of the process waits for a reader that stalls. */
const MAX_END_MS = 1000;
const END_RETRY_MS = 10;
const NOTHING = Buffer.alloc(0);

export interface LogWriter {
	write(line: string): void;
	/** Writes what is left, as far as the reader takes it in time. */
	end(): void;
}

/**
 * Gathers lines for some milliseconds: a system call per request would cost more than its log line. It never waits for
 * the reader: a reader that stalls costs lines, and no request.
 */
export function stderrWriter(clock: Clock): LogWriter {
	let gathered = "";
	let unsent = NOTHING;
	/** Since the last report; from the first one on all are dropped, so that the report stands where they are missing. */
	let dropped = 0;
	let timer: NodeJS.Timeout | undefined;

	return {
		write(line) {
			if (dropped > 0 || gathered.length + line.length > MAX_KEPT) {
				dropped++;
				return;
			}
			gathered += line;
			if (unsent.length > 0) return;
			if (gathered.length >= FLUSH_LENGTH) flush();
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
		timer = send() ? undefined : setTimeout(flush, RETRY_MS).unref();
	}

	/** Whether everything is written. */
	function send(): boolean {
		for (;;) {
			if (unsent.length === 0) {
				if (dropped > 0) gathered += droppedLine();
				if (gathered === "") return true;
				unsent = Buffer.from(gathered);
				gathered = "";
			}
			try {
				stopBlocking();
				unsent = unsent.subarray(writeSync(STDERR, unsent));
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false;
				// A reader that is gone, or a full disk, must not end the service.
				unsent = NOTHING;
			}
		}
	}

	function droppedLine(): string {
		const fields = { time: isoTime(clock.now()), level: "warn", message: "log lines were dropped" };
		const line = `${JSON.stringify({ ...fields, count: dropped })}\n`;
		dropped = 0;
		return line;
	}
}

/**
 * Said before every write: a child process that inherits a pipe makes it a blocking one for all who share it. Node has
 * no public call for this. Files have no such handle, and need none.
 */
function stopBlocking(): void {
	const { _handle } = process.stderr as { _handle?: { setBlocking?(isBlocking: boolean): void } };
	_handle?.setBlocking?.(false);
}

function pause(milliseconds: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
