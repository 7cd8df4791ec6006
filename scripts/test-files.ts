import {
	chmodSync,
	globSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statfsSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, matchesGlob, relative, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { dot, spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/**
 * The files of a pattern run in one process, because loading the services and starting workerd would take as long as
 * testing. Files that measure time or memory run on their own. The slowest start first.
 */
const GROUPS = [
	"test/security/{bodies,mcp-*,oauth,sign-in,signatures,templates,tenants}.test.ts",
	"apps/*/test/*.process.test.ts",
	"test/conformance/workerd/executor.test.ts",
	"test/conformance/workerd/executor-background.test.ts",
	"test/{mcp/*,boundaries,cookbook,docs,conformance/{cli-coverage,coverage}}.test.ts",
	"{packages,services}/*/test/**/*.workerd.test.ts",
	"test/conformance/node/executor.test.ts",
	"test/conformance/node/executor-background.test.ts",
	"{packages,services}/*/test/**/!(*-cost|*-memory|hostile-source|limits|pdf|redact|sandbox).long.test.ts",
	"test/conformance/workerd/{mcp,registry,store}.test.ts",
	"test/faults/executor.test.ts",
	"test/security/stalls/stalls.test.ts",
	"test/conformance/node/{mcp,registry,store}.test.ts",
	"test/security/{canary,credential-answers,credentials,door,outbound-targets,registry,ssrf}.test.ts",
	"test/security/sandbox.test.ts",
	"test/security/validate.test.ts",
];

const {
	/**
	 * `together`: all files run in one process more than there are processors, because most would spend more time loading
	 * than testing. `busy`: each keeps a processor busy.
	 */
	values: { together = false, busy = false, importing },
	positionals,
} = parseArgs({
	options: { together: { type: "boolean" }, busy: { type: "boolean" }, importing: { type: "string" } },
	allowPositionals: true,
});
const files = [...new Set(globSync(positionals))]
	.filter((file) => importing === undefined || readFileSync(file, "utf8").includes(`from "${importing}"`))
	.sort()
	.reverse();
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
// PostgreSQL runs as another user where the tests run as root.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/**
 * Every process gets neighbours, because they load the same modules, and the same number of bytes, which tell how long
 * tests take.
 */
function shareFiles(): readonly string[] {
	const count = availableParallelism() + 1;
	const sizes = files.map((file) => statSync(file).size);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	let before = 0;
	const shares = sizes.map((size) => {
		const share = Math.floor((before / total) * count);
		before += size;
		return share;
	});
	return Array.from({ length: count }, (_, index) => files.filter((_file, at) => shares[at] === index))
		.filter(({ length }) => length > 0)
		.map(writeGroup);
}

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

const ownFiles = new Set(files.map((file) => resolve(file)));

/**
 * Runs the files and returns those in which a test failed: the file that defines the test or, if a helper defines it,
 * the one that was run.
 */
async function runFiles(paths: readonly string[], concurrency: number): Promise<readonly string[]> {
	const failed = new Set<string>();
	const report = run({ files: [...paths], concurrency })
		.on("test:fail", ({ todo, file = "", entryFile = file }) => {
			if (todo === undefined || todo === false) failed.add(ownFiles.has(file) ? file : entryFile);
		})
		.compose(together ? dot : spec);
	report.pipe(process.stdout, { end: false });
	await finished(report);
	return [...failed];
}

/**
 * The groups start first, then the other files in reverse order of their names, because a slow one that starts late
 * would run alone at the end; Node's own command always sorts them. Two more than the processors, because many wait
 * more than they compute.
 */
const failed = await runFiles(
	together ? shareFiles() : joinGroups(),
	availableParallelism() + (busy ? 0 : 2),
);

/**
 * What failed runs once more with nothing beside it: a machine that is too busy for a time limit is told from a fault,
 * and the output says which tests that were.
 */
if (failed.length > 0) {
	const names = (paths: readonly string[]) => paths.map((path) => `  ${relative(".", path)}\n`).join("");
	process.stdout.write(`\nfailed, and run again alone:\n${names(failed)}\n`);
	const failedAgain = new Set(await runFiles(failed, 1));
	const passedAlone = failed.filter((path) => !failedAgain.has(path));
	if (passedAlone.length > 0) process.stdout.write(`\npassed only alone:\n${names(passedAlone)}`);
	if (failedAgain.size > 0) process.exitCode = 1;
}
