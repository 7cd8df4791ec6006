import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, matchesGlob, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

/**
 * The files of a pattern run in one process, because loading the services and starting workerd would take as long as
 * testing. Files that measure time or memory run on their own. The slowest start first.
 */
const GROUPS = [
	"test/conformance/workerd/executor.test.ts",
	"test/security/{bodies,mcp-*,oauth,signatures,templates,tenants}.test.ts",
	"test/conformance/workerd/{mcp,registry,store}.test.ts",
	"test/conformance/node/executor.test.ts",
	"test/conformance/node/{mcp,registry,store}.test.ts",
	"{packages,services}/*/test/**/*.workerd.test.ts",
	"{packages,services}/*/test/**/!(*-cost|hostile-source|limits|redact|sandbox).long.test.ts",
	"test/faults/executor.test.ts",
	"{test/mcp/{authorization,clients,real-service},test/{cookbook,docs}}.test.ts",
	"test/security/{credential-answers,credentials,outbound-targets,registry}.test.ts",
];

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

const folder = mkdtempSync(join(mayUseMemory() ? MEMORY : tmpdir(), "tripline-tests-"));
process.env.TMPDIR = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Files of one group become one file that imports them all. */
function joinGroups(): readonly string[] {
	const groups = GROUPS.map((pattern) => files.filter((file) => matchesGlob(file, pattern)));
	const grouped = new Set(groups.flat());
	return [
		...groups.flatMap((group, index) => (group.length === 0 ? [] : [writeGroup(group, index)])),
		...files.filter((file) => !grouped.has(file)),
	];
}

function writeGroup(group: readonly string[], index: number): string {
	const path = join(folder, `group-${index}.mjs`);
	writeFileSync(path, group.map((file) => `import "${pathToFileURL(resolve(file))}";\n`).join(""));
	return path;
}

/**
 * Runs the test files that match the patterns. The groups start first, then the other files in reverse order of their
 * names, because a slow one that starts late would run alone at the end; Node's own command always sorts them. One more
 * than the processors, because many wait more than they compute.
 */
run({ files: [...joinGroups()], concurrency: availableParallelism() + 1 })
	.on("test:fail", ({ todo }) => {
		if (todo === undefined || todo === false) process.exitCode = 1;
	})
	.compose(spec)
	.pipe(process.stdout);
