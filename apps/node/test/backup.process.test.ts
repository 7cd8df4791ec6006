import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "@tripline/platform/clock";
import { scheduleBackups } from "../src/backup/schedule.ts";
import { lockForBackup } from "../src/data-lock.ts";
import { start, temporaryFolder } from "./process.ts";
import { runCommand } from "./vault-process.ts";

const TENANT = { "x-service-api-key": "default" };
const CANARY = "xoxb-canary-0123456789";
const QUIET = { LOG_LEVEL: "silent" };

type Service = Awaited<ReturnType<typeof start>>;

const putEntry = (service: Service, page_name: string) =>
	fetch(`${service.storeUrl}/entries`, {
		method: "PUT",
		body: JSON.stringify({ owner_id: "default", entry_type: "note", page_name, content: page_name }),
	});

async function listPages(service: Service): Promise<string[]> {
	const answer = await fetch(`${service.storeUrl}/entries?owner_id=default&entry_type=note`);
	const { entries } = (await answer.json()) as { entries: { page_name: string }[] };
	return entries.map(({ page_name }) => page_name).sort();
}

async function upload(service: Service, content: string): Promise<string> {
	const headers = { ...TENANT, "content-type": "text/plain" };
	const answer = await fetch(`${service.publicUrl}/files`, { method: "POST", headers, body: content });
	return ((await answer.json()) as { id: string }).id;
}

const listFiles = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((each) => each.isFile())
		.map((each) => join(each.parentPath, each.name));

const backup = (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
	runCommand(args, cwd, { BACKUP_TO: join(cwd, "backups"), ...env }, "backup");

async function stop(service: Service): Promise<void> {
	service.child.kill("SIGTERM");
	await service.exited();
}

async function prepareService(context: TestContext) {
	const cwd = temporaryFolder(context);
	const service = await start(context, QUIET, cwd);
	assert.equal((await putEntry(service, "before")).status, 201);
	return { cwd, service, data: join(cwd, "data") };
}

test("a running service is backed up without its keys, and restored with them", async (context) => {
	const { cwd, service, data } = await prepareService(context);
	const stored = await fetch(`${service.publicUrl}/credentials/slack`, {
		method: "PUT",
		headers: TENANT,
		body: JSON.stringify({ auth_recipe: "slack_bot", fields: { token: CANARY } }),
	});
	assert.equal(stored.ok, true, await stored.text());
	const file = await upload(service, "the content of a file");

	const made = await backup(cwd, ["create", "--json"]);
	assert.equal(made.code, 0, made.stderr);
	const { name, rows, files, paused_ms } = JSON.parse(made.stdout);
	assert.ok(rows > 5 && paused_ms < 5000);
	assert.deepEqual(files, { count: 1, bytes: 21, missing: [] });
	await putEntry(service, "after");

	const verified = await backup(cwd, ["verify"]);
	assert.equal(verified.code, 0, verified.stderr);
	assert.match(
		verified.stdout,
		/is complete and undamaged: .*\nIt has .* 3 databases and 1 file of 21 bytes/,
	);

	const other = join(cwd, "other");
	const restored = await backup(cwd, ["restore", name, "--to", other]);
	assert.equal(restored.code, 0, restored.stderr);
	assert.match(restored.stdout, /Next:\n1\. Put the master key back to .*other\/keys\/master\.key/);
	const secrets = [
		CANARY,
		...["master.key", "owner.secret"].map((key) => readFileSync(join(data, "keys", key), "utf8").trim()),
	];
	for (const path of [...listFiles(other), ...listFiles(join(cwd, "backups"))])
		for (const secret of secrets) assert.ok(!readFileSync(path).includes(secret), path);

	const running = await backup(cwd, ["restore", "--move-aside"]);
	assert.equal(running.code, 2);
	assert.match(running.stderr, /is used by another process: stop that one/);
	await stop(service);
	const refused = await backup(cwd, ["restore"]);
	assert.equal(refused.code, 2);
	assert.match(
		refused.stderr,
		/data is not empty \(.*\): restore into another folder with --to, or pass --move-aside/,
	);
	const replaced = await backup(cwd, ["restore", "--move-aside"]);
	assert.equal(replaced.code, 0, replaced.stderr);
	assert.doesNotMatch(replaced.stdout, /Put the master key back/);
	const aside = readdirSync(data).filter((each) => each.startsWith("before-restore-"));
	assert.equal(aside.length, 1);
	assert.ok(readdirSync(join(data, aside[0] ?? "")).includes("store.db"));

	const again = await start(context, QUIET, cwd);
	assert.deepEqual(await listPages(again), ["before"]);
	const content = await fetch(`${again.publicUrl}/files/${file}/content`, { headers: TENANT });
	assert.equal(await content.text(), "the content of a file");
	assert.equal((await fetch(`${again.publicUrl}/readyz`)).status, 200);
	await stop(again);

	// Without the key that opens its credentials the data is of no use.
	const keyless = await start(context, { ...QUIET, DATA_DIR: other }, cwd);
	assert.deepEqual(await keyless.exited(), { code: 2, signal: null });
	assert.match(keyless.stderr(), /master\.key is missing, but there are credentials sealed with it/);
});

test("a damaged or encrypted backup is refused, and changes nothing", async (context) => {
	const { cwd, service, data } = await prepareService(context);
	await stop(service);
	const passphrase = join(cwd, "passphrase");
	writeFileSync(passphrase, "a passphrase in a file\n", { mode: 0o600 });
	const env = { BACKUP_PASSPHRASE_FILE: passphrase };
	const made = await backup(cwd, ["create", "--json"], env);
	assert.equal(made.code, 0, made.stderr);
	const path = join(cwd, "backups", `${JSON.parse(made.stdout).name}.backup`);
	const before = listFiles(data).sort();
	const bytes = readFileSync(path);
	assert.equal((await backup(cwd, ["verify"], { BACKUP_PASSPHRASE: "a passphrase in a file" })).code, 0);
	const wrong = await backup(cwd, ["verify"], { BACKUP_PASSPHRASE: "another passphrase" });
	assert.equal(wrong.stderr, "tripline: the passphrase is wrong, or the backup is damaged\n");
	writeFileSync(path, bytes.subarray(0, -100));
	for (const [args, variables, message] of [
		[["restore", "--move-aside"], env, /incomplete/],
		[["restore", path, "--move-aside"], {}, /is encrypted: set BACKUP_PASSPHRASE_FILE/],
		[["verify", "tripline-2020-01-01T00-00-00-000Z"], env, /there is no backup tripline-2020/],
	] as const) {
		const refused = await backup(cwd, args, variables);
		assert.equal(refused.code, 1);
		assert.match(refused.stderr, message);
		assert.match(refused.stderr, /^tripline: .*\n$/);
		assert.deepEqual(listFiles(data).sort(), before);
	}
	mkdirSync(join(data, "restoring"));
	const interrupted = await start(context, QUIET, cwd);
	assert.deepEqual(await interrupted.exited(), { code: 2, signal: null });
	assert.match(interrupted.stderr(), /has not finished: run tripline backup restore again, or delete/);
});

test("what cannot be backed up is said in one line", async (context) => {
	const cwd = temporaryFolder(context);
	const postgres = {
		DATABASE_URL: "postgres://me:canary@db/a",
		MASTER_KEY: "k",
		MCP_OWNER_SECRET: "0123456789abcdef",
		BACKUP_TO: "",
	};
	for (const [args, env, code, message] of [
		[["create"], {}, 2, /there is no store\.db in .*data: set DATA_DIR/],
		[["create"], { BACKUP_TO: "" }, 1, /Set BACKUP_TO to a folder or a bucket, or pass --to/],
		[["create", "--to", "x"], postgres, 2, /the data is in PostgreSQL: back it up with pg_dump/],
		[["restore"], {}, 1, /there is no backup in .*backups/],
	] as const) {
		const refused = await backup(cwd, args, env);
		assert.equal(refused.code, code, refused.stderr);
		assert.match(refused.stderr, message);
		assert.doesNotMatch(refused.stderr, /canary|\n./);
	}
});

test("bytes of deleted files stay while a backup is made", async (context) => {
	const { service, data } = await prepareService(context);
	const [first, second] = [await upload(service, "one"), await upload(service, "two")];
	const count = () => listFiles(join(data, "files")).length;
	const remove = async (id: string) => {
		const url = `${service.publicUrl}/files/${id}`;
		assert.equal((await fetch(url, { method: "DELETE", headers: TENANT })).status, 200);
		assert.equal((await fetch(`${url}/content`, { headers: TENANT })).status, 404);
	};
	const lock = lockForBackup(data);
	assert.throws(() => lockForBackup(data), /another backup of .* is being made/);
	await remove(first);
	assert.equal(count(), 2);
	lock.release();
	await remove(second);
	assert.equal(count(), 1);
});

test("the schedule makes a backup when the newest is too old, and reports a failure", async (context) => {
	const { cwd, service, data } = await prepareService(context);
	const env = { DATA_DIR: data, BACKUP_TO: join(cwd, "backups"), BACKUP_EVERY: "1h" };
	const count = () => readdirSync(env.BACKUP_TO).length;
	const runOnce = async (): Promise<[string, string, object | undefined]> => {
		const { promise, resolve } = Promise.withResolvers<[string, string, object | undefined]>();
		const backups = scheduleBackups({
			...{ everyMs: 3_600_000, clock: systemClock, env },
			log: (level, message, fields) => resolve([level, message, fields]),
		});
		backups.tick();
		await wait(5);
		backups.tick();
		backups.tick();
		const ended = await Promise.race([
			promise,
			wait(60_000, ["", "", undefined] as [string, string, undefined]),
		]);
		backups.stop();
		return ended;
	};
	const [level, message, fields] = await runOnce();
	assert.deepEqual([level, message], ["info", "backup made"], JSON.stringify(fields));
	assert.match(JSON.stringify(fields), /"name":"tripline-.*"bytes":\d+,"rows":\d+,"duration_ms":\d+/);
	assert.equal(count(), 1);
	await stop(service);
	rmSync(join(data, "store.db"));
	rmSync(env.BACKUP_TO, { recursive: true });
	const failed = await runOnce();
	assert.deepEqual(failed.slice(0, 2), ["error", "a backup failed"]);
	assert.match(JSON.stringify(failed[2]), /there is no store\.db/);
});
