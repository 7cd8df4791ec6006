import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Machine, startMachine } from "./machine.ts";
import { type Listener, listen } from "./stand-in/server.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NPM = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const GREET = `name: greet
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;

/** In the process of the command line: deployed workers are reached by way of the tests, and no child is started. */
const PRELOAD = `
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
const real = globalThis.fetch;
globalThis.fetch = async (request, init) => {
	if (!new URL(request.url).hostname.endsWith(".workers.dev")) return real(request, init);
	const { method, headers } = request;
	const body = request.body === null ? null : await request.arrayBuffer();
	const sent = new Headers(headers);
	sent.set("test-address", request.url);
	return real(process.env.TEST_WORKERS, { method, headers: sent, body, redirect: "manual", ...init });
};
for (const name of ["spawn", "spawnSync", "execFile", "execFileSync", "exec", "execSync", "fork"])
	childProcess[name] = () => { throw new Error("a child was started"); };
syncBuiltinESMExports();
`;

describe("the packed package, installed in a clean folder", () => {
	const root = mkdtempSync(join(tmpdir(), "tripline-packed-"));
	const clean = join(root, "clean");
	const bin = join(clean, "node_modules/.bin/tripline");
	const running = new Set<ChildProcess>();
	let machine: Machine;
	let gateway: Listener;
	let env: Readonly<Record<string, string>>;

	before(async () => {
		const quiet = "--disable-warning=ExperimentalWarning";
		await run(process.execPath, [quiet, join(ROOT, "scripts/bundle.ts"), "--out", join(root, "package")]);
		await run("npm", ["pack", "--silent", ...NPM, join(root, "package")], { cwd: root });
		const tarball = readdirSync(root).find((file) => file.endsWith(".tgz")) as string;
		mkdirSync(clean);
		writeFileSync(join(clean, "package.json"), '{ "private": true }\n');
		await run("npm", ["install", ...NPM, join(root, tarball)], { cwd: clean });
		machine = await startMachine();
		gateway = await listen(async (request) => {
			const address = request.headers.get("test-address") ?? "";
			const { method, headers } = request;
			const body = request.body === null ? null : await request.arrayBuffer();
			return machine.fetch(new Request(address, { method, headers, body, redirect: "manual" }));
		});
		writeFileSync(join(root, "preload.mjs"), PRELOAD);
		const { TRIPLINE_BUNDLES: _, ...given } = machine.env;
		env = {
			...given,
			PATH: process.env.PATH ?? "",
			HOME: machine.home,
			TEST_WORKERS: gateway.url,
			NODE_OPTIONS: `--import=${join(root, "preload.mjs")}`,
		};
	});
	after(async () => {
		for (const child of running) child.kill("SIGKILL");
		await gateway?.close();
		rmSync(root, { recursive: true, force: true });
	});

	const tripline = async (...argv: string[]) => (await run(bin, argv, { cwd: clean, env })).stdout;

	test("is one package without dependencies, which says its version", async (context) => {
		const installed = readdirSync(join(clean, "node_modules")).filter((name) => !name.startsWith("."));
		assert.deepEqual(installed, ["tripline"]);
		const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
		assert.equal(await tripline("--version"), `${version}\n`);
		context.diagnostic(`on Node ${(await run("node", ["--version"])).stdout.trim()}`);
	});

	test("init that is ended by kill -9 goes on when it is repeated, and starts no process", async () => {
		const child = spawn(bin, ["init"], { cwd: clean, env, stdio: "ignore" });
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
		assert.deepEqual([namespaces.length, databases.length, scripts.length], [5, 1, 4]);
	});

	test("pushes a workflow to what it has deployed, and runs it", async () => {
		writeFileSync(join(clean, "greet.yaml"), GREET);
		assert.match(await tripline("push", "greet.yaml"), /created/);
		assert.equal(await tripline("run", "greet", "--input", '{"name":"Ada"}'), "Hello Ada\n");
	});

	test("finds nothing to update", async () => {
		assert.match(await tripline("update"), /4 unchanged/);
	});
});
