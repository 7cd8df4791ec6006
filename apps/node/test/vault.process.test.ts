import assert from "node:assert/strict";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { masterKeyPath, openMasterKeys, prepareNextKey, useNextKey } from "../src/master-key.ts";
import { StartProblem } from "../src/settings.ts";
import { temporaryFolder } from "./process.ts";
import { openVaults, runCommand } from "./vault-process.ts";

const put = (secret: string) => ({ auth_recipe: "signing_secret", fields: { secret } });
const isNew = { isVaultInUse: async () => false };
const isOld = { isVaultInUse: async () => true };
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function catchProblem(work: Promise<unknown>): Promise<string> {
	const error: unknown = await work.then(
		() => assert.fail("accepted"),
		(thrown: unknown) => thrown,
	);
	assert.ok(error instanceof StartProblem, String(error));
	assert.doesNotMatch(error.message, /\n/);
	return error.message;
}

describe("the master key file", () => {
	const keyFile = (context: TestContext) => masterKeyPath({}, temporaryFolder(context));

	test("is in the data folder unless MASTER_KEY_FILE is set", () => {
		assert.equal(masterKeyPath({}, "/data"), "/data/keys/master.key");
		assert.equal(masterKeyPath({ MASTER_KEY_FILE: "/run/key" }, "/data"), "/run/key");
	});

	test("is created at the first start, for this user only, and is not replaced", async (context) => {
		const file = keyFile(context);
		const [key] = await (await openMasterKeys(file, isNew)).load();
		assert.equal(mode(file), "600");
		assert.equal(mode(dirname(file)), "700");
		assert.match(readFileSync(file, "utf8"), /^[A-Za-z0-9+/]{43}=\n$/);
		assert.deepEqual(readdirSync(dirname(file)), ["master.key"]);
		const [again] = await (await openMasterKeys(file, isOld)).load();
		assert.equal(again?.id, key?.id);
	});

	test("is the same for concurrent first starts", async (context) => {
		const file = keyFile(context);
		const opened = await Promise.all(Array.from({ length: 8 }, () => openMasterKeys(file, isNew)));
		const ids = await Promise.all(opened.map(async (keys) => (await keys.load())[0]?.id));
		assert.equal(new Set(ids).size, 1);
	});

	test("is not created again if credentials exist", async (context) => {
		const file = keyFile(context);
		assert.match(
			await catchProblem(openMasterKeys(file, isOld)),
			/master\.key is missing.*restore the key file/,
		);
		assert.equal(existsSync(file), false);
	});

	test("is refused if others can read it", async (context) => {
		const file = keyFile(context);
		await openMasterKeys(file, isNew);
		for (const loose of [0o640, 0o604, 0o644, 0o660, 0o610, 0o666]) {
			chmodSync(file, loose);
			const expected = new RegExp(
				`master\\.key can be read by others \\(mode 0${loose.toString(8)}\\): run chmod 600`,
			);
			assert.match(await catchProblem(openMasterKeys(file, isOld)), expected);
		}
		chmodSync(file, 0o400);
		await openMasterKeys(file, isOld);
	});

	test("is refused if it is a folder, a link or not a regular file", async (context) => {
		const folder = temporaryFolder(context);
		const real = join(folder, "real.key");
		await openMasterKeys(real, isNew);
		const linked = join(folder, "linked.key");
		symlinkSync(real, linked);
		assert.match(
			await catchProblem(openMasterKeys(linked, isOld)),
			/linked\.key is a symbolic link: set MASTER_KEY_FILE/,
		);
		const dangling = join(folder, "dangling.key");
		symlinkSync(join(folder, "nowhere"), dangling);
		assert.match(await catchProblem(openMasterKeys(dangling, isNew)), /dangling\.key is a symbolic link/);
		assert.equal(existsSync(join(folder, "nowhere")), false);
		const directory = join(folder, "directory.key");
		mkdirSync(directory, { mode: 0o700 });
		assert.match(
			await catchProblem(openMasterKeys(directory, isOld)),
			/directory\.key is a folder: set MASTER_KEY_FILE/,
		);
		assert.match(await catchProblem(openMasterKeys("/dev/null", isOld)), /\/dev\/null is not a file/);
	});

	test("is refused if it is not a key, without repeating its content", async (context) => {
		const file = join(temporaryFolder(context), "master.key");
		const good = createMasterKeyText();
		for (const text of ["", "hunter2", good.slice(4), `${good}${good}`, `${good}x`, "A".repeat(5000)]) {
			writeFileSync(file, text, { mode: 0o600 });
			const message = await catchProblem(openMasterKeys(file, isOld));
			assert.match(message, /master\.key is not a master key, which is 32 bytes in base64: restore/);
			if (text.length > 5) assert.ok(!message.includes(text.slice(0, 6)));
		}
	});

	test("gives a one-line error if its folder cannot be written", async (context) => {
		const folder = temporaryFolder(context);
		writeFileSync(join(folder, "file"), "");
		assert.match(
			await catchProblem(openMasterKeys(join(folder, "file", "master.key"), isNew)),
			/cannot be written \(/,
		);
	});

	test("has the next key beside it during a re-key, and either is enough", async (context) => {
		const file = keyFile(context);
		const keys = await openMasterKeys(file, isNew);
		const [first] = await keys.load();
		const next = await prepareNextKey(file);
		assert.equal((await prepareNextKey(file)).id, next.id);
		assert.equal(mode(`${file}.next`), "600");
		assert.deepEqual(
			(await keys.load()).map(({ id }) => id),
			[first?.id, next.id],
		);
		useNextKey(file);
		assert.deepEqual(
			(await keys.load()).map(({ id }) => id),
			[next.id],
		);
		renameSync(file, `${file}.next`);
		assert.deepEqual(
			(await (await openMasterKeys(file, isOld)).load()).map(({ id }) => id),
			[next.id],
		);
	});
});

describe("opening the vault", () => {
	test("a key that does not match the vault gives a one-line error that names the file", async (context) => {
		const { open, file } = await openVaults(context, temporaryFolder(context));
		await (await open()).put("acme", "x", put("v"));
		writeFileSync(file, createMasterKeyText(), { mode: 0o600 });
		assert.match(await catchProblem(open()), /master\.key: this master key does not open the vault: restore/);
		rmSync(file);
		assert.match(await catchProblem(open()), /master\.key is missing.*restore the key file/);
		assert.equal(existsSync(file), false);
	});
});

describe("the operator's commands", () => {
	test("--help prints the usage; an unknown command is refused with the usage", async (context) => {
		const cwd = temporaryFolder(context);
		const help = await runCommand(["--help"], cwd);
		assert.equal(help.code, 0);
		assert.match(help.stdout, /status.*rotate.*rekey/s);
		for (const args of [[], ["destroy"], ["rotate", "now"], ["--force"], ["constructor"]]) {
			const refused = await runCommand(args, cwd);
			assert.equal(refused.code, 2);
			assert.match(refused.stderr, /usage/);
		}
		assert.deepEqual(readdirSync(cwd), []);
	});

	test("a folder without a database and a bad setting give a one-line error", async (context) => {
		const cwd = temporaryFolder(context);
		const missing = await runCommand(["status"], cwd, { DATA_DIR: "nowhere" });
		assert.equal(missing.code, 2);
		assert.match(missing.stderr, /^tripline vault: there is no store\.db in .*nowhere: set DATA_DIR/);
		const bad = await runCommand(["status"], cwd, { PORT: "x" });
		assert.equal(bad.code, 2);
		assert.match(bad.stderr, /PORT must be/);
	});

	test("an empty vault needs no work and gets no key", async (context) => {
		const cwd = temporaryFolder(context);
		const { file } = await openVaults(context, cwd);
		for (const command of ["status", "rotate", "rekey"]) {
			const { code, stdout } = await runCommand([command], cwd);
			assert.equal(code, 0);
			assert.match(stdout, /the vault is empty/);
		}
		assert.equal(existsSync(file), false);
	});

	test("status, rotate and rekey work beside a running service, which finds the new keys", async (context) => {
		const cwd = temporaryFolder(context);
		const { open, file } = await openVaults(context, cwd);
		const running = await open();
		for (const name of ["x", "y"]) await running.put("acme", name, put(`secret ${name}`));
		await running.put("initech", "z", put("secret z"));
		const before = readFileSync(file, "utf8");

		const status = await runCommand(["status"], cwd);
		assert.match(status.stdout, /3 credentials, 2 tenants, 2 data keys\n$/);
		const rotated = await runCommand(["rotate"], cwd);
		assert.equal(rotated.code, 0, rotated.stderr);
		assert.match(rotated.stdout, /acme: new data key, 2 credentials sealed again/);
		assert.match(rotated.stdout, /3 credentials of 2 tenants are under new data keys/);
		const rekeyed = await runCommand(["rekey"], cwd);
		assert.equal(rekeyed.code, 0, rekeyed.stderr);
		assert.match(rekeyed.stdout, /2 data keys wrapped under the new key too/);
		assert.notEqual(readFileSync(file, "utf8"), before);
		assert.equal(mode(file), "600");
		assert.deepEqual(readdirSync(dirname(file)), ["master.key"]);

		await running.put("acme", "x", put("changed"));
		await running.put("young", "n", put("new"));
		for (const vault of [running, await open()]) {
			assert.deepEqual((await vault.reveal("acme", "x"))?.fields, { secret: "changed" });
			assert.deepEqual((await vault.reveal("acme", "y"))?.fields, { secret: "secret y" });
			assert.deepEqual((await vault.reveal("initech", "z"))?.fields, { secret: "secret z" });
			assert.deepEqual((await vault.reveal("young", "n"))?.fields, { secret: "new" });
		}
		assert.doesNotMatch(status.stdout + rotated.stdout + rekeyed.stdout, /secret [xyz]/);
		writeFileSync(file, before);
		assert.match(await catchProblem(open()), /does not open the vault/);
		assert.equal((await runCommand(["rotate"], cwd)).code, 2);
	});

	test("only one command runs at a time", async (context) => {
		const cwd = temporaryFolder(context);
		const { open } = await openVaults(context, cwd);
		await (await open()).put("acme", "x", put("v"));
		const other = new DatabaseSync(join(cwd, "data", "vault.lock"));
		other.exec("begin exclusive");
		const refused = await runCommand(["rotate"], cwd);
		assert.equal(refused.code, 1);
		assert.match(refused.stderr, /another vault command is running/);
		other.close();
		assert.equal((await runCommand(["rotate"], cwd)).code, 0);
	});
});
