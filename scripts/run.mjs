// Plain JavaScript that Node 18 can run: it starts before a suitable Node and the dependencies are there.
import { readFileSync, realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchedNode, installDependencies, whyUnfit } from "./launch/prepare.mjs";
import { exitLike, Failure, run, say } from "./launch/process.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const TASKS = {
	start: { about: "run the service", dev: false, run: runFile("apps/node/src/main.ts") },
	check: {
		about: "run the linters, the type checker and the unit tests: under a minute",
		dev: true,
		run: (node) => runSteps(node, [...STATIC_CHECKS, UNIT_TESTS]),
	},
	test: { about: "run every check and test, or only the test files named", dev: true, run: runAll },
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
		about: "run the tests of a file or folder again whenever something changes",
		dev: true,
		run: watchTests,
	},
	bench: { about: "run a benchmark", dev: true, run: runFile("bench/run.ts") },
	"test:browser": {
		about: "run the tests of the console, every page and state included",
		dev: true,
		run: (node, args) => runInBrowser(node, [...args, ...BROWSER_TEST_FILES]),
	},
	"test:deploy": {
		about: "run the tests of deployments, the long ones included",
		dev: true,
		run: (node, args) => runInBrowser(node, [...args, ...DEPLOY_TEST_FILES]),
	},
	"test:stalls": {
		about: "send everything that could hold up the service, and measure its longest turns",
		dev: true,
		run: runFile("test/security/stalls/run.ts"),
	},
	vault: {
		about: "rotate, re-key or describe the vault",
		dev: false,
		run: runFile("apps/node/src/vault.ts"),
	},
	"component-docs": {
		about: "write the page about components",
		dev: true,
		run: runFile("scripts/component-docs.ts"),
	},
	"market-docs": {
		about: "write the page about the market",
		dev: true,
		run: runFile("scripts/market-docs.ts"),
	},
	bundle: {
		about: "write the Workers, the command line and the service to dist",
		dev: true,
		run: runFile("scripts/bundle.ts"),
	},
	migrations: { about: "write the migration files", dev: true, run: runFile("scripts/emit-migrations.ts") },
	"pin-node": {
		about: "pin the Node that the launcher may fetch to another version",
		dev: true,
		run: runFile("scripts/pin-node.ts"),
	},
	release: {
		about: "raise the patch number, write the changelog's entry",
		dev: true,
		run: runFile("scripts/release.ts"),
	},
	deploy: {
		about: "release, bundle, and bring a deployment on Cloudflare to this version",
		dev: true,
		run: runFile("scripts/deploy.ts"),
	},
	"check-release": {
		about: "tell whether all that names the version agrees",
		dev: true,
		run: runFile("scripts/check-release.ts"),
	},
};

/** Installs Chromium where there is none. */
const BROWSER = "test/browser/install.ts";

const STATIC_CHECKS = [
	{ name: "biome", commands: () => [[findBin("@biomejs/biome", "biome"), "check", "."]] },
	{ name: "tsc", commands: () => [[findBin("typescript", "tsc"), "--noEmit", "-p", "tsconfig.json"]] },
	{
		name: "tsc of the console",
		commands: () => [[findBin("typescript", "tsc"), "--noEmit", "-p", "apps/console"]],
	},
	{ name: "knip", commands: () => [[findBin("knip", "knip")]] },
];

const GENERATED_FILE_CHECKS = [
	{ name: "migrations", commands: () => [["scripts/emit-migrations.ts", "--check"]] },
	{ name: "release", commands: () => [["scripts/check-release.ts"]] },
];

const WORKSPACE_TESTS = "{packages,services,apps}/*/test/**";

const UNIT_TEST_FILES = `${WORKSPACE_TESTS}/!(*.workerd|*.process|*.long).test.ts`;

/**
 * Without a process for each file, since most of them would spend more time on loading than on testing. What starts
 * processes, runs on workerd or takes seconds says so in its name and is not among them.
 */
const UNIT_TESTS = {
	name: "unit tests",
	commands: () =>
		Array.from({ length: availableParallelism() }, (_, index) => [
			"--test",
			"--test-isolation=none",
			"--test-reporter=dot",
			`--test-shard=${index + 1}/${availableParallelism()}`,
			UNIT_TEST_FILES,
		]),
};

/** Tests of several services together; those that can run on either platform ask TEST_PLATFORM. */
const SERVICE_TESTS = ["test/*.test.ts", "test/{faults,mcp,security}/**/*.test.ts"];

const NODE_TESTS = {
	name: "tests on Node",
	env: { TEST_PLATFORM: "node" },
	commands: () => [
		testCommand([
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
		testCommand([
			`${WORKSPACE_TESTS}/*.workerd.test.ts`,
			"test/conformance/workerd/*.test.ts",
			...SERVICE_TESTS,
		]),
	],
};

const OTHER_TEST_FILES = [
	`${WORKSPACE_TESTS}/*.{workerd,process,long}.test.ts`,
	"test/conformance/**/*.test.ts",
	...SERVICE_TESTS,
	"test/browser/{login,flows}.test.ts",
	"test/deploy/{stand-in,init}.test.ts",
	"scripts/test/*.test.ts",
];

const OTHER_TESTS = { name: "tests", commands: () => [testCommand(OTHER_TEST_FILES)] };

/** Deployments that are killed, fail, are packed, pass the whole conformance suite and show their console: minutes. */
const DEPLOY_TEST_FILES = ["test/deploy/*.test.ts"];

/** Every page in both languages, both themes and two widths: three minutes. */
const BROWSER_TEST_FILES = ["test/browser/*.test.ts"];

async function main([name, ...args]) {
	if (name === "--help" || name === "-h") {
		process.stdout.write(usage());
		return { code: 0 };
	}
	if (name === undefined || !Object.hasOwn(TASKS, name)) {
		say(name === undefined ? "which task?" : `unknown task "${name}"`);
		process.stderr.write(usage());
		return { code: 2 };
	}
	const task = TASKS[name];
	const reason = whyUnfit(process.versions);
	const node = reason === undefined ? process.execPath : await fetchedNode(ROOT, reason);
	await installDependencies(ROOT, task.dev);
	return task.run(node, args);
}

function usage() {
	const tasks = Object.entries(TASKS).map(([name, { about }]) => `  ${name.padEnd(16)}${about}\n`);
	return `usage: node scripts/run.mjs <task> [arguments]\n\n${tasks.join("")}`;
}

function runFile(file) {
	return (node, args) => runNode(node, [join(ROOT, file), ...args]);
}

async function runAll(node, args) {
	if (args.length > 0) return runNode(node, testCommand(args));
	const browser = { name: "browser", commands: () => [[BROWSER]] };
	return runSteps(node, [...STATIC_CHECKS, ...GENERATED_FILE_CHECKS, UNIT_TESTS, browser, OTHER_TESTS]);
}

/** One after the other, until one fails; the commands of a step run side by side. */
async function runSteps(node, steps) {
	for (const { name, commands, env } of steps) {
		const started = Date.now();
		const outcomes = await Promise.all(
			commands().map((command) => runNode(node, command, { cwd: ROOT }, env)),
		);
		const elapsed = `${((Date.now() - started) / 1000).toFixed(1)} s`;
		// A tool may answer Ctrl-C with exit code 0: the next one must not start then.
		const interrupted = outcomes.find((outcome) => outcome.interrupted)?.interrupted;
		if (interrupted) return { signal: interrupted };
		const failed = outcomes.find((outcome) => outcome.code !== 0);
		if (failed) {
			say(`${name} failed (${failed.signal ?? `exit code ${failed.code}`}, ${elapsed})`);
			return failed;
		}
		say(`${name} passed (${elapsed})`);
	}
	return { code: 0 };
}

async function runInBrowser(node, args) {
	const outcome = await runNode(node, [BROWSER], { cwd: ROOT });
	return outcome.code === 0 ? runNode(node, testCommand(args), { cwd: ROOT }) : outcome;
}

function watchTests(node, args) {
	const paths = args.filter((arg) => !arg.startsWith("-"));
	if (paths.length === 0) throw new Failure("which tests? npm run test:watch -- <file or folder>");
	const files = paths.map((path) => (path.endsWith(".ts") ? path : join(path, "**", "*.test.ts")));
	const options = args.filter((arg) => arg.startsWith("-"));
	return runNode(node, ["--watch", ...testCommand([...options, ...files])]);
}

/** Node takes the options of its test runner only before the first file. */
function testCommand(args) {
	const options = args.filter((arg) => arg.startsWith("-"));
	const files = args.filter((arg) => !arg.startsWith("-"));
	return [
		`--import=${new URL("launch/watchdog.mjs", import.meta.url)}`,
		"--test",
		"--test-reporter=spec",
		// By itself Node leaves one processor alone, and of two that is half.
		`--test-concurrency=${availableParallelism()}`,
		...options,
		...(files.length > 0 ? files : [UNIT_TEST_FILES, ...OTHER_TEST_FILES]),
	];
}

function findBin(packageName, bin) {
	const home = join(ROOT, "node_modules", packageName);
	let manifest;
	try {
		manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
	} catch {
		throw new Failure(`${packageName} is not in node_modules: is it among the root's devDependencies?`);
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

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	main(process.argv.slice(2)).then(exitLike, (error) => {
		say(error instanceof Failure ? error.message : error.stack);
		exitLike(error instanceof Failure ? error.outcome : { code: 1 });
	});
}
