// Plain JavaScript for Node 18: it runs before a suitable Node and the dependencies are installed.
import { readFileSync, realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rememberChecked } from "./launch/checked-files.mjs";
import { ensureNode, explainUnfit, installDependencies } from "./launch/prepare.mjs";
import { endWith, Failure, run, say } from "./launch/process.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const TASKS = {
	start: { about: "run the service", dev: false, run: runFile("apps/node/src/main.ts") },
	check: {
		about: "run the linters, the type checker and the fast unit tests (about a minute)",
		dev: true,
		run: (node) => runSteps(node, [[...STATIC_CHECKS, FAST_UNIT_TESTS]]),
	},
	test: { about: "run the checks and tests, or only the test files named", dev: true, run: runAll },
	"test:long": {
		about: "run the tests that take long: attacks, crashes, large inputs, properties",
		dev: true,
		run: (node) => runSteps(node, [LONG_TESTS, ATTACKS, PROPERTY_TESTS]),
	},
	"test:node": {
		about: "run the tests that need no Workers runtime",
		dev: true,
		run: (node) => runSteps(node, [UNIT_TESTS, NODE_TESTS]),
	},
	"test:workerd": {
		about: "run the tests on workerd, the runtime of Cloudflare Workers",
		dev: true,
		run: (node) => runSteps(node, [WORKERD_TESTS]),
	},
	"test:watch": {
		about: "rerun the tests of a file or folder on every change",
		dev: true,
		run: watchTests,
	},
	"test:postgres": {
		about: "run the tests on PostgreSQL, on the oldest and on the newest version",
		dev: true,
		run: (node) => runSteps(node, POSTGRES_TESTS),
	},
	bench: { about: "run a benchmark", dev: true, run: runFile("bench/run.ts") },
	"test:browser": {
		about: "run all browser tests of the console",
		dev: true,
		run: (node, args) => runInBrowser(node, args, BROWSER_TEST_FILES),
	},
	"test:deploy": {
		about: "run all tests of deployments, including the long ones",
		dev: true,
		run: (node, args) => runInBrowser(node, args, DEPLOY_TEST_FILES),
	},
	"test:services": {
		about:
			"run the tests on real databases, mail servers, proxies and Prometheus, which are installed with apt-get if they are missing, and MCP servers",
		dev: true,
		run: (node) => runSteps(node, [SERVICES_TESTS]),
	},
	"test:stalls": {
		about: "send inputs that could block the event loop, and measure the longest stalls",
		dev: true,
		run: runFile("test/security/stalls/run.ts"),
	},
	"test:chaos": {
		about: "kill processes and the database under load, and check that nothing is lost or repeated",
		dev: true,
		run: runFile("test/chaos/run.ts"),
	},
	"test:openapi": {
		about: "make recipes of the OpenAPI descriptions in a folder, and call their operations at a double",
		dev: true,
		run: runFile("test/openapi/run.ts"),
	},
	cli: { about: "run the command line", dev: false, run: runFile("apps/cli/src/bin.ts") },
	vault: {
		about: "rotate, re-key or describe the vault",
		dev: false,
		run: runFile("apps/node/src/vault.ts"),
	},
	"component-docs": {
		about: "write docs/components.md",
		dev: true,
		run: runFile("scripts/component-docs.ts"),
	},
	"chat-page": {
		about: "write the script and the style of the chat's page",
		dev: true,
		run: runFile("scripts/chat-page.ts"),
	},
	"market-docs": {
		about: "write docs/market.md",
		dev: true,
		run: runFile("scripts/market-docs.ts"),
	},
	bundle: {
		about: "write the Workers, the command line and the service to dist",
		dev: true,
		run: runFile("scripts/bundle.ts"),
	},
	migrations: {
		about: "write the migration files for D1",
		dev: true,
		run: runFile("scripts/emit-migrations.ts"),
	},
	"pin-node": {
		about: "pin the Node that the launcher may fetch to another version",
		dev: true,
		run: runFile("scripts/pin-node.ts"),
	},
	release: {
		about: "raise the patch number and write the changelog entry",
		dev: true,
		run: runFile("scripts/release.ts"),
	},
	deploy: {
		about: "release, bundle and update a deployment on Cloudflare",
		dev: true,
		run: runFile("scripts/deploy.ts"),
	},
	"check-release": {
		about: "check that the version is the same everywhere",
		dev: true,
		run: runFile("scripts/check-release.ts"),
	},
};

/** Installs Chromium if it is missing. */
const BROWSER = "test/browser/install.ts";

/** The compiler ends before its garbage is worth collecting; the limit is for machines with less memory. */
const UNCOLLECTED = { GOGC: "off", GOMEMLIMIT: "2GiB" };

/** What did not change since the last check is not checked again. */
function buildTypeCheck(name, project, cache) {
	const file = `node_modules/.cache/tsc/${cache}.tsbuildinfo`;
	const options = ["--noEmit", "--incremental", "--tsBuildInfoFile", file, "--checkers", "1", "-p", project];
	return { name, env: UNCOLLECTED, commands: () => [[findBin("typescript", "tsc"), ...options]] };
}

const formatted = rememberChecked(ROOT, "biome", ["biome.json", "package-lock.json", ".gitignore"]);

const STATIC_CHECKS = [
	{
		name: "biome",
		commands() {
			const files = formatted.list();
			if (files?.length === 0) return [];
			const ignoresOthers =
				files === null ? ["."] : ["--files-ignore-unknown=true", "--no-errors-on-unmatched", ...files];
			return [[findBin("@biomejs/biome", "biome"), "check", ...ignoresOthers]];
		},
		onPass: () => formatted.save(),
	},
	buildTypeCheck("tsc", "tsconfig.json", "root"),
	buildTypeCheck("tsc of the console", "apps/console", "console"),
	{ name: "knip", commands: () => [[findBin("knip", "knip"), "--cache"]] },
];

const GENERATED_FILE_CHECKS = [
	{ name: "migrations", commands: () => [["scripts/emit-migrations.ts", "--check"]] },
	{ name: "release", commands: () => [["scripts/check-release.ts"]] },
];

const WORKSPACE_TESTS = "{packages,services,apps}/*/test/**";

/** Tests that start processes, run on workerd or take long have that in their file name and are not included. */
const UNIT_TEST_FILES = `${WORKSPACE_TESTS}/!(*.workerd|*.process|*.long).test.ts`;

const FAST_UNIT_TEST_FILES = `${WORKSPACE_TESTS}/!(*.workerd|*.process|*.long|*.slow).test.ts`;

const buildUnitTests = (name, files) => ({
	name,
	env: { TEST_RUNS: "0.1" },
	commands: () => [[PROPERTY_RUNS, ...buildFilesArgs(["--together", files])]],
});

const UNIT_TESTS = buildUnitTests("unit tests", UNIT_TEST_FILES);
const FAST_UNIT_TESTS = buildUnitTests("fast unit tests", FAST_UNIT_TEST_FILES);

/** Tests of several services together; those that can run on either platform read TEST_PLATFORM. */
const SERVICE_TESTS = ["test/*.test.ts", "test/{faults,mcp,security,upgrade}/**/*.test.ts"];

const NODE_TESTS = {
	name: "tests on Node",
	env: { TEST_PLATFORM: "node" },
	commands: () => [
		buildFilesArgs([
			`${WORKSPACE_TESTS}/*.{process,long}.test.ts`,
			"test/conformance/*.test.ts",
			"test/conformance/node/*.test.ts",
			...SERVICE_TESTS,
			"scripts/test/*.test.ts",
		]),
	],
};

const WORKERD_TESTS = {
	name: "tests on workerd",
	env: { TEST_PLATFORM: "workerd" },
	commands: () => [
		buildFilesArgs([
			`${WORKSPACE_TESTS}/*.workerd.test.ts`,
			"test/conformance/workerd/*.test.ts",
			...SERVICE_TESTS,
		]),
	],
};

/** The conformance suite, the contracts of the ports, and several processes that share a database. */
const POSTGRES_TESTS = ["15", "18"].map((version) => ({
	name: `tests on PostgreSQL ${version}`,
	env: { TEST_POSTGRES: version },
	commands: () => [
		buildFilesArgs([
			`${WORKSPACE_TESTS}/{databases,postgres,move}.process.test.ts`,
			"test/move.test.ts",
			"test/conformance/postgres/*.test.ts",
			"test/replicas/*.test.ts",
		]),
	],
}));

const SERVICES_TESTS = {
	name: "tests on other servers",
	commands: () => [buildFilesArgs(["test/services/*.test.ts"])],
};

/** Those on PostgreSQL run with `test:postgres`, on two of its versions. */
const OTHER_TEST_FILES = [
	`${WORKSPACE_TESTS}/*.workerd.test.ts`,
	`${WORKSPACE_TESTS}/!(databases|postgres|move).process.test.ts`,
	"test/!(move).test.ts",
	"test/conformance/*.test.ts",
	"test/conformance/{node,workerd}/!(*.long).test.ts",
	"test/mcp/**/!(*.long).test.ts",
	"test/openapi/*.test.ts",
];

const OTHER_TESTS = { name: "tests", commands: () => [buildFilesArgs(OTHER_TEST_FILES)] };

const LONG_TEST_FILES = [
	`${WORKSPACE_TESTS}/*.long.test.ts`,
	"test/chaos/*.test.ts",
	"test/conformance/{node,workerd}/*.long.test.ts",
	"test/mcp/*.long.test.ts",
	"test/faults/**/*.test.ts",
	"test/upgrade/*.test.ts",
	"test/security/{sandbox,validate}.test.ts",
	"test/security/stalls/*.test.ts",
	"scripts/test/*.test.ts",
];

const LONG_TESTS = { name: "long tests", commands: () => [buildFilesArgs(LONG_TEST_FILES)] };

/** Apart from those that measure how long others are held up. */
const ATTACKS = {
	name: "attacks",
	commands: () => [buildFilesArgs(["test/security/!(sandbox|validate).test.ts"])],
};

const PROPERTY_TESTS = {
	name: "property tests",
	env: { TEST_RUNS: "1" },
	commands: () => [
		[PROPERTY_RUNS, ...buildFilesArgs(["--together", "--importing", "fast-check", UNIT_TEST_FILES])],
	],
};

/** Includes killed and failing deployments, the packed package and the conformance suite; takes minutes. */
const DEPLOY_TEST_FILES = ["test/deploy/*.test.ts"];

/** Covers every page in both languages, both themes and two widths; takes three minutes. */
const BROWSER_TEST_FILES = ["test/browser/*.test.ts"];

async function main([name, ...args]) {
	if (name === "--help" || name === "-h") {
		process.stdout.write(renderUsage());
		return { code: 0 };
	}
	if (name === undefined || !Object.hasOwn(TASKS, name)) {
		say(name === undefined ? "no task given" : `unknown task "${name}"`);
		process.stderr.write(renderUsage());
		return { code: 2 };
	}
	const task = TASKS[name];
	const reason = explainUnfit(process.versions);
	const node = reason === undefined ? process.execPath : await ensureNode(ROOT, reason);
	await installDependencies(ROOT, task.dev);
	return task.run(node, args);
}

function renderUsage() {
	const tasks = Object.entries(TASKS).map(([name, { about }]) => `  ${name.padEnd(16)}${about}\n`);
	return `usage: node scripts/run.mjs <task> [arguments]\n\n${tasks.join("")}`;
}

function runFile(file) {
	return (node, args) => runNode(node, [join(ROOT, file), ...args]);
}

async function runAll(node, args) {
	if (args.length > 0) return runNode(node, buildTestArgs(args));
	return runSteps(node, [[...GENERATED_FILE_CHECKS, ...STATIC_CHECKS, UNIT_TESTS], OTHER_TESTS]);
}

/**
 * Runs the steps in order until one fails; those in a list run side by side. The unit tests wait for a fifth of their
 * time, which the static checks use.
 */
async function runSteps(node, steps) {
	for (const step of steps) {
		const outcomes = await Promise.all([step].flat().map((each) => runStep(node, each)));
		const ended = outcomes.find(({ signal }) => signal) ?? outcomes.find(({ code }) => code !== 0);
		if (ended) return ended;
	}
	return { code: 0 };
}

/** The commands of a step run in parallel. */
async function runStep(node, { name, commands, env, onPass }) {
	const started = Date.now();
	const outcomes = await Promise.all(commands().map((command) => runNode(node, command, { cwd: ROOT }, env)));
	const elapsed = `${((Date.now() - started) / 1000).toFixed(1)} s`;
	// A tool may exit with code 0 on Ctrl-C; the next step must not start then.
	const interrupted = outcomes.find((outcome) => outcome.interrupted)?.interrupted;
	if (interrupted) return { signal: interrupted };
	const failed = outcomes.find((outcome) => outcome.code !== 0);
	if (failed) {
		say(`${name} failed (${failed.signal ?? `exit code ${failed.code}`}, ${elapsed})`);
		return failed;
	}
	onPass?.();
	say(`${name} passed (${elapsed})`);
	return { code: 0 };
}

async function runInBrowser(node, args, files) {
	const outcome = await runNode(node, [BROWSER], { cwd: ROOT });
	if (outcome.code !== 0) return outcome;
	const options = args.length > 0 ? buildTestArgs([...args, ...files]) : buildFilesArgs(["--busy", ...files]);
	return runNode(node, options, { cwd: ROOT });
}

function watchTests(node, args) {
	const paths = args.filter((arg) => !arg.startsWith("-"));
	if (paths.length === 0) throw new Failure("no tests given: npm run test:watch -- <file or folder>");
	const files = paths.map((path) => (path.endsWith(".ts") ? path : join(path, "**", "*.test.ts")));
	const options = args.filter((arg) => arg.startsWith("-"));
	return runNode(node, ["--watch", ...buildTestArgs([...options, ...files])]);
}

const WATCHDOG = `--import=${new URL("launch/watchdog.mjs", import.meta.url)}`;
const UNTRACKED = `--import=${new URL("launch/untracked-promises.mjs", import.meta.url)}`;
const PROPERTY_RUNS = `--import=${new URL("launch/property-runs.mjs", import.meta.url)}`;

/** Runs whole sets of test files, the slow ones first. */
function buildFilesArgs(patterns) {
	return [WATCHDOG, UNTRACKED, join(ROOT, "scripts/test-files.ts"), ...patterns];
}

/** Node accepts the options of its test runner only before the first file. */
function buildTestArgs(args) {
	const options = args.filter((arg) => arg.startsWith("-"));
	const files = args.filter((arg) => !arg.startsWith("-"));
	return [
		WATCHDOG,
		"--test",
		"--test-reporter=spec",
		// Node's default leaves one processor idle, which is half of two.
		`--test-concurrency=${availableParallelism()}`,
		...options,
		...(files.length > 0 ? files : [UNIT_TEST_FILES, ...OTHER_TEST_FILES, ...LONG_TEST_FILES]),
	];
}

function findBin(packageName, bin) {
	const home = join(ROOT, "node_modules", packageName);
	let manifest;
	try {
		manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
	} catch {
		throw new Failure(`${packageName} is not in node_modules: add it to the devDependencies of the root`);
	}
	return join(home, typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin]);
}

function runNode(node, args, options = {}, env = {}) {
	const cache = process.env.NODE_COMPILE_CACHE ?? join(ROOT, "node_modules", ".cache", "node");
	return run(node, ["--disable-warning=ExperimentalWarning", ...args], {
		...options,
		env: { ...process.env, NODE_COMPILE_CACHE: cache, ...env },
	});
}

/** Ends this process as the task does. */
export const launch = (args) => endWith(() => main(args));

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
	await launch(process.argv.slice(2));
