import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Machine, startMachine } from "./machine.ts";
import { type OwnProcess, startOwnProcess } from "./own-process.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LEFT_OUT = ["node_modules", ".git", ".node", "dist", "data", "bench/data", ".env"];

describe("npm run deploy, in a repository of its own", () => {
	const root = mkdtempSync(join(tmpdir(), "tripline-deploy-script-"));
	const checkout = join(root, "checkout");
	const current = readVersion(ROOT);
	const released = current.replace(/\d+$/, (patch) => String(Number(patch) + 1));
	let machine: Machine;
	let own: OwnProcess;

	before(async () => {
		machine = await startMachine();
		const made = await machine.cli(["init"]);
		assert.equal(made.code, 0, made.err);
		own = await startOwnProcess(machine, root);
		checkOut(checkout);
		git("init", "--quiet");
		git("config", "user.name", "test");
		git("config", "user.email", "test@example.com");
		git("add", ".");
		git("commit", "--quiet", "-m", `build: release ${current}`);
		const app = join(checkout, "services/registry/src/app.ts");
		writeFileSync(app, readFileSync(app, "utf8").replace('"Tripline registry"', '"A better registry"'));
		git("commit", "--quiet", "-am", "feat(registry): a better name");
	});
	after(async () => {
		await own?.close();
		rmSync(root, { recursive: true, force: true });
	});

	test("with --dry-run shows the release and changes nothing", async () => {
		const calls = machine.standIn.calls.length;
		const { code, err } = await deploy("--dry-run");
		assert.equal(code, 0, err);
		assert.ok(err.includes(`## ${released}\n\n### New\n\n- Registry: a better name.\n`), err);
		assert.equal(git("status", "--porcelain"), "");
		assert.equal(readVersion(checkout), current);
		assert.equal(machine.standIn.calls.length, calls);
	});

	test("raises the version, writes the changelog, and reports a failing worker with exit code 1", async () => {
		machine.standIn.fail({
			method: "PUT",
			path: /\/tripline-registry$/,
			status: 400,
			code: 10037,
			message: "Too many scripts",
		});
		const { code, out, err } = await deploy();
		assert.equal(code, 1, err);
		assert.match(out, /the deployment is incomplete: .*1 failed/);
		assert.match(out, / tripline-registry: Cloudflare refused .*Too many scripts \(code 10037\)\n/);
		assert.match(err, /is only partly deployed: run npm run deploy again to continue with the same version/);
		assert.equal(readVersion(checkout), released);
		assert.ok(readFileSync(join(checkout, "CHANGELOG.md"), "utf8").includes(`\n## ${released}\n\n### New\n`));
		assert.equal(git("log", "-1", "--format=%s", `v${released}`), `build: release ${released}\n`);
		assert.equal(git("status", "--porcelain"), "");
		assert.equal(await registryTitle(), "Tripline registry");
	});

	test("deploys the rest as the same version when repeated", async () => {
		const { code, out, err } = await deploy();
		assert.equal(code, 0, out + err);
		assert.ok(err.includes(`nothing to release: no commits since ${released}\n`), err);
		assert.ok(out.includes(`Tripline ${released} is deployed (3 unchanged, 1 deployed)`), out);
		assert.equal(readVersion(checkout), released);
		assert.equal(await registryTitle(), "A better registry");
	});

	test("passes --force on to update, and prints only its JSON on stdout", async () => {
		const { code, out, err } = await deploy("--force", "--json");
		assert.equal(code, 0, out + err);
		const { ok, version, workers } = JSON.parse(out);
		assert.deepEqual([ok, version], [true, released]);
		assert.deepEqual(
			workers.map(({ status }: { status: string }) => status),
			Array(4).fill("deployed"),
		);
	});

	async function registryTitle(): Promise<string> {
		const answer = await machine.fetch(new Request(`${machine.url("registry")}/openapi.json`));
		return ((await answer.json()) as { info: { title: string } }).info.title;
	}

	/** Runs the command as a user would, with dependencies installed and the Node of the tests. */
	async function deploy(...args: string[]): Promise<{ code: number; out: string; err: string }> {
		await stampAsInstalled();
		const env = { ...own.env, PATH: `${dirname(process.execPath)}:${own.env.PATH}` };
		return new Promise((resolve) => {
			execFile(
				"npm",
				["run", "--silent", "deploy", "--", ...args],
				{ cwd: checkout, env },
				(error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
			);
		});
	}

	async function stampAsInstalled(): Promise<void> {
		const launcher = (await import(pathToFileURL(join(ROOT, "scripts/launch/prepare.mjs")).href)) as {
			describeInstall(root: string): object;
		};
		const stamp = JSON.stringify({ ...launcher.describeInstall(checkout), dev: true });
		writeFileSync(join(checkout, "node_modules/.tripline-install.json"), stamp);
	}

	function git(...args: string[]): string {
		return execFileSync("git", args, { cwd: checkout, encoding: "utf8", env: own.env });
	}
});

function readVersion(folder: string): string {
	return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

/** Copies all sources and links installed packages; links between workspaces point into the copy. */
function checkOut(folder: string): void {
	cpSync(ROOT, folder, {
		recursive: true,
		filter: (path) => !LEFT_OUT.includes(relative(ROOT, path)),
	});
	const installed = join(ROOT, "node_modules");
	mkdirSync(join(folder, "node_modules/@tripline"), { recursive: true });
	for (const name of readdirSync(installed).filter((each) => !each.startsWith(".") && each !== "@tripline"))
		symlinkSync(join(installed, name), join(folder, "node_modules", name));
	for (const name of readdirSync(join(installed, "@tripline")))
		symlinkSync(
			readlinkSync(join(installed, "@tripline", name)),
			join(folder, "node_modules/@tripline", name),
		);
}
