import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, freemem } from "node:os";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const files = [...new Set(globSync(process.argv.slice(2)))].sort().reverse();
if (files.length === 0) throw new Error("no test file matches");

const MEMORY = "/dev/shm";
const MIN_FREE_BYTES = 4 * 2 ** 30;

/** Whether temporary files may be kept in memory, where no database waits for a disk. Some tests run programs there. */
function mayUseMemory(): boolean {
	try {
		const { bavail, bsize } = statfsSync(MEMORY);
		const mounts = readFileSync("/proc/mounts", "utf8");
		return (
			process.env.TMPDIR === undefined &&
			Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES &&
			!/^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(mounts)
		);
	} catch {
		return false;
	}
}

if (mayUseMemory()) {
	const folder = mkdtempSync(`${MEMORY}/tripline-tests-`);
	process.env.TMPDIR = folder;
	process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
	for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
}

/**
 * Runs the test files that match the patterns, each in its own process. They start in reverse order of their names,
 * because those at the end of the alphabet take longest and one that starts late would run alone at the end; Node's own
 * command always sorts them. One more than the processors, because many wait more than they compute.
 */
run({ files, concurrency: availableParallelism() + 1 })
	.on("test:fail", ({ todo }) => {
		if (todo === undefined || todo === false) process.exitCode = 1;
	})
	.compose(spec)
	.pipe(process.stdout);
