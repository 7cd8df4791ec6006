import { setTimeout as sleep } from "node:timers/promises";
import { ConsoleAbsent, type ConsoleFiles } from "@tripline/mcp/http/console-files";
import { type Log, toErrorFields } from "@tripline/platform/log";

/** How long a request waits for the build; most builds finish within this time. */
const MAX_WAIT_MS = 5000;
const RELOAD_SECONDS = 2;

interface Console extends ConsoleFiles {
	/** Resolves when the files are available or the build has failed. */
	prepare(): Promise<void>;
}

/** Opens the console's files on first use, without blocking the rest of the service. */
export function openConsole(deps: {
	readonly log: Log;
	open(): Promise<ConsoleFiles>;
	readonly patienceMs?: number;
}): Console {
	const { log, open, patienceMs: maxWaitMs = MAX_WAIT_MS } = deps;
	let opening: Promise<ConsoleFiles | ConsoleAbsent> | undefined;

	return {
		async prepare() {
			await openOnce();
		},
		async file(name, accepted) {
			const files = await waitAtMost(openOnce(), maxWaitMs);
			if (files instanceof ConsoleAbsent) throw files;
			return files.file(name, accepted);
		},
	};

	function openOnce(): Promise<ConsoleFiles | ConsoleAbsent> {
		opening ??= open().catch((error: unknown) => {
			log("error", "the console cannot be shown", toErrorFields(error));
			return FAILED;
		});
		return opening;
	}
}

async function waitAtMost<T>(files: Promise<T>, maxWaitMs: number): Promise<T | ConsoleAbsent> {
	const waiting = new AbortController();
	const late = sleep(maxWaitMs, BEING_BUILT, { signal: waiting.signal }).catch(() => BEING_BUILT);
	try {
		return await Promise.race([files, late]);
	} finally {
		waiting.abort();
	}
}

const BEING_BUILT = new ConsoleAbsent(
	"The console is being built.",
	"This page reloads until it is ready.",
	RELOAD_SECONDS,
);
const FAILED = new ConsoleAbsent(
	"The console could not be built.",
	"See the service log for the reason. Everything else works; restart the service to try again.",
);
