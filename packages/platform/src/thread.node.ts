import { getCompileCacheDir } from "node:module";
import { setPriority } from "node:os";
import { dirname } from "node:path";

const cache = getCompileCacheDir();

/**
 * A thread must not see the environment of this process, which includes secrets. It gets only the compile cache directory,
 * without which starting a thread takes twice as long. It must not inherit the command-line options either.
 */
export const THREAD_OPTIONS = {
	env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
	execArgv: ["--disable-warning=ExperimentalWarning"],
};

/** Lowers this thread's priority below the one that serves requests. Only Linux supports priorities per thread. */
export function lowerPriority(): void {
	if (process.platform !== "linux") return;
	try {
		setPriority(10);
	} catch {
		// It works without a lower priority too.
	}
}
