import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const files = [...new Set(globSync(process.argv.slice(2)))].sort().reverse();
if (files.length === 0) throw new Error("no test file matches");

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
