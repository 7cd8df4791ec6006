// Plain JavaScript that Node 18 can run: it starts before a suitable Node and the dependencies are there.
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchedNode, installDependencies, whyUnfit } from "./launch/prepare.mjs";
import { exitLike, Failure, run, say } from "./launch/process.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const TASKS = {
	start: { about: "run the service", dev: false, run: runFile("apps/node/src/main.ts") },
	test: { about: "run every check and test, or only the test files named", dev: true, run: runChecks },
	check: { about: "the same as test", dev: true, run: runChecks },
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

/** Sees to it that there is one. */
const BROWSER = "test/browser/install.ts";

const CHECKS = [
	{ name: "biome", command: () => [binOf("@biomejs/biome", "biome"), "check", "."] },
	{ name: "tsc", command: () => [binOf("typescript", "tsc"), "--noEmit", "-p", "tsconfig.json"] },
	{
		name: "tsc of the console",
		command: () => [binOf("typescript", "tsc"), "--noEmit", "-p", "apps/console"],
	},
	{ name: "knip", command: () => [binOf("knip", "knip")] },
	{ name: "migrations", command: () => ["scripts/emit-migrations.ts", "--check"] },
	{ name: "release", command: () => ["scripts/check-release.ts"] },
	{ name: "browser", command: () => [BROWSER] },
	{ name: "tests", command: () => testCommand([]) },
];

const TEST_FILES = [
	"packages/*/test/**/*.test.ts",
	"services/*/test/**/*.test.ts",
	"apps/*/test/**/*.test.ts",
	"test/*.test.ts",
	"test/!(browser|deploy)/**/*.test.ts",
	"test/browser/{login,flows}.test.ts",
	"test/deploy/{stand-in,init}.test.ts",
	"scripts/test/**/*.test.ts",
];

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

async function runChecks(node, args) {
	if (args.length > 0) return runNode(node, testCommand(args));
	for (const { name, command } of CHECKS) {
		const started = Date.now();
		const outcome = await runNode(node, command(), { cwd: ROOT });
		const elapsed = `${((Date.now() - started) / 1000).toFixed(1)} s`;
		// A tool may answer Ctrl-C with exit code 0: the next one must not start then.
		if (outcome.interrupted) return { signal: outcome.interrupted };
		if (outcome.code !== 0) {
			say(`${name} failed (${outcome.signal ?? `exit code ${outcome.code}`}, ${elapsed})`);
			return outcome;
		}
		say(`${name} passed (${elapsed})`);
	}
	return { code: 0 };
}

async function runInBrowser(node, args) {
	const outcome = await runNode(node, [BROWSER], { cwd: ROOT });
	return outcome.code === 0 ? runNode(node, testCommand(args), { cwd: ROOT }) : outcome;
}

/** Node takes the options of its test runner only before the first file. */
function testCommand(args) {
	const options = args.filter((arg) => arg.startsWith("-"));
	const files = args.filter((arg) => !arg.startsWith("-"));
	return [
		"--test",
		"--test-reporter=spec",
		// By itself Node leaves one processor alone, and of two that is half.
		"--test-concurrency=2",
		...options,
		...(files.length > 0 ? files : TEST_FILES),
	];
}

function binOf(packageName, bin) {
	const home = join(ROOT, "node_modules", packageName);
	let manifest;
	try {
		manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
	} catch {
		throw new Failure(`${packageName} is not in node_modules: is it among the root's devDependencies?`);
	}
	return join(home, typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin]);
}

function runNode(node, args, options = {}) {
	const cache = process.env.NODE_COMPILE_CACHE ?? join(ROOT, "node_modules", ".cache", "node");
	return run(node, ["--disable-warning=ExperimentalWarning", ...args], {
		...options,
		env: { ...process.env, NODE_COMPILE_CACHE: cache },
	});
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	main(process.argv.slice(2)).then(exitLike, (error) => {
		say(error instanceof Failure ? error.message : error.stack);
		exitLike(error instanceof Failure ? error.outcome : { code: 1 });
	});
}
