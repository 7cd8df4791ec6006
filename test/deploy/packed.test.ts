import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
	copyFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type Machine, startMachine } from "./machine.ts";
import { installNodes, NODE_VERSIONS, type Nodes, OLDEST_NODE } from "./nodes.ts";
import { type OwnProcess, startOwnProcess } from "./own-process.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NPM = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
// The launcher is plain JavaScript outside the TypeScript program.
const { describeInstall } = (await import(pathToFileURL(join(ROOT, "scripts/launch/prepare.mjs")).href)) as {
	describeInstall(root: string): object;
};
const STAMP = "node_modules/.tripline-install.json";
const GREET = `name: greet
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;

const GREET_BODY = {
	triplets: ["input >> then >> hello"],
	config: { hello: { component: "template", text: "Hello {{input.name}}" } },
};

const NO_CHILDREN = `
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
for (const name of ["spawn", "spawnSync", "execFile", "execFileSync", "exec", "execSync", "fork"])
	childProcess[name] = () => { throw new Error("a child was started"); };
syncBuiltinESMExports();
`;

describe("the packed package, installed in a clean folder", () => {
	const root = mkdtempSync(join(tmpdir(), "tripline-packed-"));
	const checkout = join(root, "checkout");
	const clean = join(root, "clean");
	const bin = join(clean, "node_modules/.bin/tripline");
	const running = new Set<ChildProcess>();
	let tarball: string;
	let machine: Machine;
	let own: OwnProcess;
	let env: Readonly<Record<string, string>>;

	before(async () => {
		checkOut(checkout);
		markInstalled(checkout);
		const { stdout } = await run("npm", ["pack", "--silent"], { cwd: checkout });
		tarball = join(checkout, stdout.trim());
		mkdirSync(clean);
		writeFileSync(join(clean, "package.json"), '{ "private": true }\n');
		await run("npm", ["install", ...NPM, tarball], { cwd: clean });
		machine = await startMachine();
		own = await startOwnProcess(machine, root);
		env = own.env;
		writeFileSync(join(root, "no-children.mjs"), NO_CHILDREN);
	});
	after(async () => {
		for (const child of running) child.kill("SIGKILL");
		await own?.close();
		rmSync(root, { recursive: true, force: true });
	});

	/** An environment in which the installed package may start no child process. */
	const buildEnvironment = () => ({
		...env,
		NODE_OPTIONS: `${env.NODE_OPTIONS} --import=${join(root, "no-children.mjs")}`,
	});
	const tripline = async (...argv: string[]) =>
		(await run(bin, argv, { cwd: clean, env: buildEnvironment() })).stdout;

	test("is one package without dependencies that prints its version", async (context) => {
		const installed = readdirSync(join(clean, "node_modules")).filter((name) => !name.startsWith("."));
		assert.deepEqual(installed, ["tripline"]);
		const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
		assert.equal(await tripline("--version"), `${version}\n`);
		context.diagnostic(`on Node ${(await run("node", ["--version"])).stdout.trim()}`);
	});

	test("init continues after kill -9 when repeated, and starts no process", async () => {
		const child = spawn(bin, ["init"], { cwd: clean, env: buildEnvironment(), stdio: "ignore" });
		running.add(child);
		const stop = machine.standIn.onCall(({ method, path, phase }) => {
			if (phase === "after" && method === "PUT" && path.endsWith("/tripline-registry")) child.kill("SIGKILL");
		});
		const [, signal] = await once(child, "exit");
		running.delete(child);
		stop();
		assert.equal(signal, "SIGKILL");
		assert.match(await tripline("init"), /^Tripline \S+ is deployed \(4 deployed\)$/m);
		const { namespaces, databases, scripts } = machine.standIn.state();
		assert.deepEqual([namespaces.length, databases.length, scripts.length], [5, 2, 4]);
	});

	test("pushes a workflow to the deployment, and runs it", async () => {
		writeFileSync(join(clean, "greet.yaml"), GREET);
		assert.match(await tripline("push", "greet.yaml"), /created/);
		assert.equal(await tripline("run", "greet", "--input", '{"name":"Ada"}'), "Hello Ada\n");
	});

	test("finds nothing to update", async () => {
		assert.match(await tripline("update"), /4 unchanged/);
	});

	describe("its tarball, run by npx in an empty folder", () => {
		let nodes: Nodes | string;

		before(async () => {
			nodes = await installNodes(join(root, "nodes"));
		});

		/** Skips the test where there is no Node of that version. */
		function prepareNpx(context: TestContext, version: string) {
			if (typeof nodes === "string") return context.skip(nodes);
			const cwd = mkdtempSync(join(root, "empty-"));
			const file = basename(tarball);
			copyFileSync(tarball, join(cwd, file));
			return {
				file,
				cwd,
				node: join(nodes.folder(version), "node"),
				args: [nodes.npx, "--yes", `./${file}`],
				env: buildNpxEnvironment(root, nodes.folder(version)),
			};
		}

		test("says how to go on, in words that work there", async (context) => {
			const npx = prepareNpx(context, OLDEST_NODE);
			if (npx === undefined) return;
			const { stdout } = await run(npx.node, npx.args, npx);
			assert.match(stdout, new RegExp(`^ {2}npx \\./${RegExp.escape(npx.file)} serve$`, "m"));
			assert.deepEqual(readdirSync(npx.cwd), [npx.file]);
		});

		for (const version of NODE_VERSIONS)
			test(`serves on Node ${version} until it is stopped`, async (context) => {
				const npx = prepareNpx(context, version);
				if (npx === undefined) return;
				const { cwd, env: variables } = npx;
				const service = spawn(npx.node, [...npx.args, "serve"], { cwd, env: variables });
				running.add(service);
				// npx ends before the service, which holds the pipes.
				const end = once(service, "close");
				const { url, log } = await waitForService(service);
				const made = await postJson(`${url}/webhooks`, GREET_BODY);
				assert.equal((await postJson(made.webhook_url as string, { name: "Ada" })).data, "Hello Ada");
				const page = await fetch(`${url}/console`);
				assert.equal(page.status, 200);
				assert.match(await page.text(), /<!doctype html>/i);
				service.kill("SIGTERM");
				await end;
				running.delete(service);
				assert.match(log(), /"message":"stopped"/);
				assert.deepEqual(readdirSync(cwd).sort(), ["data", npx.file]);
			});
	});

	describe("a checkout of the same version without installed dependencies", () => {
		test("update installs once for all workers, without the API token, and builds the same bundles as the package", async () => {
			rmSync(join(checkout, STAMP));
			const cli = join(checkout, "apps/cli/src/bin.ts");
			const PATH = `${join(checkout, "bin")}:${env.PATH}`;
			const { stdout } = await run(process.execPath, [cli, "update"], {
				cwd: clean,
				env: { ...env, PATH, NODE_NO_WARNINGS: "1" },
			});
			assert.match(stdout, /4 unchanged/);
			const called = readFileSync(join(checkout, "npm.log"), "utf8").trim().split("\n");
			assert.equal(called.length, 1, called.join("\n"));
			assert.match(called[0] ?? "", /^ci --include=dev .*--ignore-scripts.* token:$/);
		});
	});
});

/** npm's settings of the caller, except for its registry, would apply to npx too. */
function buildNpxEnvironment(root: string, nodeFolder: string): Readonly<Record<string, string>> {
	const given = Object.entries(process.env).filter(
		([name]) => !/^(?:NODE_(?:OPTIONS|TEST_CONTEXT|COMPILE_CACHE)$|npm_(?!config_registry$))/i.test(name),
	) as [string, string][];
	return {
		...Object.fromEntries(given),
		PATH: `${nodeFolder}:${process.env.PATH}`,
		XDG_CACHE_HOME: join(root, "cache"),
		XDG_CONFIG_HOME: join(root, "config"),
		npm_config_cache: join(root, "npm-cache"),
		npm_config_update_notifier: "false",
		SERVICE_BASE_URL: "http://127.0.0.1:1",
		PORT: "0",
		STORE_PORT: "0",
	};
}

async function waitForService(child: ChildProcess): Promise<{ url: string; log(): string }> {
	let [out, log] = ["", ""];
	child.stderr?.on("data", (chunk) => {
		log += chunk;
	});
	for await (const chunk of child.stdout ?? []) {
		out += chunk;
		const [, url] = /service +(http:\/\/\S+)[\s\S]*Try it:/.exec(out) ?? [];
		if (url !== undefined) return { url, log: () => log };
	}
	throw new Error(`the service did not start: ${out}${log}`);
}

async function postJson(url: string, body: object): Promise<Record<string, unknown>> {
	const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
	return (await response.json()) as Record<string, unknown>;
}

/** A checkout as after `git clone`, with an npm that records its calls; the packages are already installed. */
function checkOut(folder: string): void {
	for (const copied of [
		"scripts",
		"apps/cli/src",
		"apps/cli/package.json",
		"package.json",
		"package-lock.json",
		"README.md",
		"CHANGELOG.md",
	])
		cpSync(join(ROOT, copied), join(folder, copied), { recursive: true });
	for (const linked of ["packages", "services", ...listOtherApps()])
		symlinkSync(join(ROOT, linked), join(folder, linked));
	mkdirSync(join(folder, "node_modules"));
	for (const name of readdirSync(join(ROOT, "node_modules")).filter((each) => !each.startsWith(".")))
		symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
	mkdirSync(join(folder, "bin"));
	const npm = `#!/bin/sh\necho "$@" "token:$CLOUDFLARE_API_TOKEN" >> '${join(folder, "npm.log")}'\n`;
	writeFileSync(join(folder, "bin/npm"), npm, { mode: 0o755 });
}

function markInstalled(folder: string): void {
	writeFileSync(join(folder, STAMP), JSON.stringify({ ...describeInstall(folder), dev: true }));
}

const listOtherApps = (): string[] =>
	readdirSync(join(ROOT, "apps"))
		.filter((name) => name !== "cli")
		.map((name) => `apps/${name}`);
