import { writeSync } from "node:fs";

const STDERR = 2;
const FLUSH_MS = 20;
const FLUSH_LENGTH = 64 * 1024;

/** Gathers lines for some milliseconds: a system call per request would cost more than its log line. */
export function stderrWriter(): { write(line: string): void; flush(): void } {
	let gathered = "";
	let timer: NodeJS.Timeout | undefined;
	function flush(): void {
		clearTimeout(timer);
		timer = undefined;
		const text = gathered;
		gathered = "";
		if (text !== "") writeAll(text);
	}
	return {
		write(line) {
			gathered += line;
			if (gathered.length >= FLUSH_LENGTH) flush();
			else timer ??= setTimeout(flush, FLUSH_MS);
		},
		flush,
	};
}

function writeAll(text: string): void {
	let bytes = Buffer.from(text);
	while (bytes.length > 0) {
		try {
			bytes = bytes.subarray(writeSync(STDERR, bytes));
		} catch (error) {
			// A full pipe is tried again; a closed one must not end the service.
			if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
		}
	}
}
