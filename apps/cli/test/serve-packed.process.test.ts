import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundleCli } from "../../../scripts/bundle/programs.ts";
import { createTemporaryFolder, start } from "./process.ts";

const folder = mkdtempSync(join(tmpdir(), "tripline-packed-"));
after(() => rmSync(folder, { recursive: true }));
const dist = join(folder, "cli");
const bin = join(dist, "tripline.js");
await bundleCli(dist);
writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "9.8.7", type: "module" }));

test("reports that the service is not next to the bundle", async (context) => {
	rmSync(join(dist, "service.mjs"));
	const running = start(context, ["serve"], { bin });
	assert.equal((await running.waitForExit()).code, 1);
	assert.match(running.stderr(), /the service is not part of this installation\n {2}\S/);
});

test("passes environment, folder and signals to service.mjs, and its exit code back", async (context) => {
	pack(`
		process.on("SIGTERM", () => process.exit(7));
		setInterval(() => {}, 1000);
		console.log(JSON.stringify({ cwd: process.cwd(), port: process.env.PORT }), "ready");
	`);
	const cwd = createTemporaryFolder(context);
	const running = start(context, ["serve"], { bin, cwd, env: { PORT: "1234" } });
	await running.waitForText("ready");
	assert.deepEqual(JSON.parse(running.stdout().replace("ready", "")), { cwd, port: "1234" });
	running.child.kill("SIGTERM");
	assert.deepEqual(await running.waitForExit(), { code: 7, signal: null });
});

test("reports a service ended by a signal as shells do", async (context) => {
	pack('process.kill(process.pid, "SIGKILL");');
	assert.equal((await start(context, ["serve"], { bin }).waitForExit()).code, 137);
});

test("passes the target of a move to move.mjs by a variable, because others can read arguments", async (context) => {
	pack("");
	writeFileSync(
		join(dist, "move.mjs"),
		"console.log(JSON.stringify([process.argv.slice(2), process.env.TRIPLINE_MOVE_TO])); process.exitCode = 2;",
	);
	const cwd = createTemporaryFolder(context);
	for (const [to, passed] of [
		["postgres://me:secret@db.example/a", "postgres://me:secret@db.example/a"],
		["folder", join(cwd, "folder")],
	] as const) {
		const running = start(context, ["move", "--to", to, "--dry-run", "--json"], { bin, cwd });
		assert.equal((await running.waitForExit()).code, 2);
		assert.deepEqual(JSON.parse(running.stdout()), [["--dry-run", "--json"], passed]);
	}
});

test("passes what is asked of a backup to backup.mjs, with paths of the caller's folder", async (context) => {
	pack("");
	writeFileSync(
		join(dist, "backup.mjs"),
		"console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 1;",
	);
	const cwd = createTemporaryFolder(context);
	const name = "tripline-2027-01-31T03-00-00-000Z";
	for (const [args, passed] of [
		[
			["backup", "--to", "there", "--quiet"],
			["create", "--to", join(cwd, "there"), "--quiet"],
		],
		[
			["backup", "list", "--json"],
			["list", "--json"],
		],
		[
			["backup", "verify", name],
			["verify", name],
		],
		[
			["backup", "restore", `./${name}.backup`, "--move-aside"],
			["restore", join(cwd, `${name}.backup`), "--move-aside"],
		],
	] as const) {
		const running = start(context, args, { bin, cwd });
		assert.equal((await running.waitForExit()).code, 1);
		assert.deepEqual(JSON.parse(running.stdout()), passed);
	}
});

test("passes the operation of a vault command to vault.mjs, and refuses others", async (context) => {
	pack("");
	writeFileSync(join(dist, "vault.mjs"), "console.log(process.argv.slice(2)); process.exitCode = 1;");
	const running = start(context, ["vault", "rotate"], { bin });
	assert.equal((await running.waitForExit()).code, 1);
	assert.equal(running.stdout(), "[ 'rotate' ]\n");
	const refused = start(context, ["vault", "open"], { bin });
	assert.equal((await refused.waitForExit()).code, 2);
	assert.match(refused.stderr(), /^tripline: the vault has no operation "open"\n {2}one of: status, /);
});

test("with an old Node runs a downloaded one from the user's cache", async (context) => {
	pack("console.log(process.env.NODE_COMPILE_CACHE);");
	replaceLauncher("async (home, reason) => { console.log(home, reason); return process.execPath; }");
	const cwd = createTemporaryFolder(context);
	const running = start(context, ["serve"], { bin, cwd });
	assert.equal((await running.waitForExit()).code, 0);
	assert.match(running.stdout(), new RegExp(`^${join(cwd, ".cache", "tripline")} this Node is too old\n`));
});

test("reports in one line that no Node can be downloaded", async (context) => {
	pack("");
	replaceLauncher('async () => { throw new Failure("none for this machine: install Node 24"); }');
	const running = start(context, ["serve"], { bin });
	assert.equal((await running.waitForExit()).code, 1);
	assert.equal(running.stderr(), "tripline: none for this machine: install Node 24\n");
});

/** Puts another program in place of the service. */
function pack(service: string): void {
	writeFileSync(join(dist, "service.mjs"), service);
}

/** A launcher that rejects the current Node. */
function replaceLauncher(ensureNode: string): void {
	writeFileSync(
		join(dist, "launch", "prepare.mjs"),
		`import { Failure } from "./process.mjs";
		export const explainUnfit = () => "this Node is too old";
		export const ensureNode = ${ensureNode};
		export { Failure };`,
	);
}
