import { setTimeout as sleep } from "node:timers/promises";
import { ConsoleAbsent, type ConsoleFiles } from "@tripline/mcp/http/console-files";
import { errorFields, type Log } from "@tripline/platform/log";

/** For that long whoever asks waits while it is built: most builds are done by then. */
const PATIENCE_MS = 5000;
const RELOAD_SECONDS = 2;

interface Console extends ConsoleFiles {
	/** Ends when the files are there, or it is known that they cannot be had. */
	prepare(): Promise<void>;
}

/** Files that are made ready when they are first needed. Nothing of it keeps the service from answering. */
export function openConsole(deps: {
	readonly log: Log;
	open(): Promise<ConsoleFiles>;
	readonly patienceMs?: number;
}): Console {
	const { log, open, patienceMs = PATIENCE_MS } = deps;
	let opening: Promise<ConsoleFiles | ConsoleAbsent> | undefined;

	return {
		async prepare() {
			await opened();
		},
		async file(name, accepted) {
			const files = await inTime(opened(), patienceMs);
			if (files instanceof ConsoleAbsent) throw files;
			return files.file(name, accepted);
		},
	};

	function opened(): Promise<ConsoleFiles | ConsoleAbsent> {
		opening ??= open().catch((error: unknown) => {
			log("error", "the console cannot be shown", errorFields(error));
			return FAILED;
		});
		return opening;
	}
}

async function inTime<T>(files: Promise<T>, patienceMs: number): Promise<T | ConsoleAbsent> {
	const waiting = new AbortController();
	const late = sleep(patienceMs, BEING_BUILT, { signal: waiting.signal }).catch(() => BEING_BUILT);
	try {
		return await Promise.race([files, late]);
	} finally {
		waiting.abort();
	}
}

const BEING_BUILT = new ConsoleAbsent(
	"The console is being built.",
	"This page reloads itself until it is there.",
	RELOAD_SECONDS,
);
const FAILED = new ConsoleAbsent(
	"The console could not be built.",
	"The log of the service says why. Everything else works; start the service again to try once more.",
);
