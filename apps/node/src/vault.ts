import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { vaultOperations } from "@tripline/executor/vault/operations";
import { isVaultInUse, type VaultStorage } from "@tripline/executor/vault/storage";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { systemClock } from "@tripline/platform/clock";
import type { MasterKeys } from "@tripline/platform/master-key";
import { createStore } from "@tripline/store/app";
import { storeSettings } from "@tripline/store/settings";
import manifest from "../package.json" with { type: "json" };
import { openDatabase, prepareDataFolder } from "./databases.ts";
import { readEnvironmentFile } from "./environment-file.ts";
import { hasNextKey, masterKeyPath, prepareNextKey, useNextKey } from "./master-key.ts";
import { refuseMovedFolder } from "./move-marks.ts";
import { openVaultKeys, readMasterKeys, toStartProblem } from "./open-vault.ts";
import { parseSettings, type Settings, StartProblem } from "./settings.ts";

const USAGE = `usage: tripline vault <operation>

  status   show the number of tenants, data keys and credentials, and any unfinished operation
  rotate   create a new data key for every tenant, seal its credentials again, remove the old keys
  rekey    replace the master key in the key file by a new one

The service may keep running. An interrupted command continues when it is run again.
`;

interface VaultContext {
	readonly file: string;
	readonly masterKeys: MasterKeys;
	readonly operations: ReturnType<typeof vaultOperations>;
}

const COMMANDS: Readonly<Record<string, (context: VaultContext) => Promise<number>>> = {
	status,
	rotate,
	rekey,
};

// New files must be readable by this user only.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));

/** Exit codes. 0: done. 1: failed or incomplete. 2: the operator must fix something first. */
async function run(args: string[]): Promise<number> {
	try {
		const command = parseCommand(args);
		if (command === "help") {
			process.stdout.write(USAGE);
			return 0;
		}
		return await runCommand(parseSettings({ ...readEnvironmentFile(), ...process.env }), command);
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		process.stderr.write(`tripline vault: ${text}\n`);
		return error instanceof StartProblem ? 2 : 1;
	}
}

function parseCommand(args: string[]): "help" | ((context: VaultContext) => Promise<number>) {
	try {
		const options = { help: { type: "boolean", short: "h" } } as const;
		const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
		if (values.help === true) return "help";
		const [name = "", ...more] = positionals;
		const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
		if (command !== undefined && more.length === 0) return command;
	} catch {
		// An unknown option; the usage below lists the known ones.
	}
	throw new StartProblem(`missing or unknown command\n\n${USAGE.trimEnd()}`);
}

async function runCommand(
	settings: Settings,
	command: (context: VaultContext) => Promise<number>,
): Promise<number> {
	const folder = resolve(settings.DATA_DIR);
	const { storage, close } = await openStorage(settings, folder);
	const file = masterKeyPath(settings, folder);
	try {
		if (!(await isVaultInUse(storage))) return printLine("the vault is empty: there is nothing to do");
		// Released when the process ends, even by a crash.
		using _ = lockVault(prepareDataFolder(folder));
		const given = await readMasterKeys(settings);
		if (given !== null && command === rekey)
			throw new StartProblem(
				"the master key is the setting MASTER_KEY: to replace it, set MASTER_KEY_NEXT to a new one for all processes, and once their log says that the next key may be used, set MASTER_KEY to it",
			);
		const masterKeys = given ?? (await openVaultKeys(file, storage));
		const operations = vaultOperations({ masterKeys, storage, clock: systemClock });
		return await command({ file: given === null ? file : "the setting MASTER_KEY", masterKeys, operations });
	} catch (error) {
		throw toStartProblem(file, error);
	} finally {
		await close();
	}
}

async function openStorage(
	settings: Settings,
	folder: string,
): Promise<{ storage: VaultStorage; close(): Promise<void> }> {
	const token = settings.STORE_INTERNAL_TOKEN;
	if (settings.STORE_BASE_URL !== undefined) {
		const transport = {
			fetch: (request: Request) => fetch(request),
			baseUrl: settings.STORE_BASE_URL,
			token,
		};
		return { storage: storedEntries(transport), async close() {} };
	}
	if (settings.DATABASE_URL === undefined) {
		if (!existsSync(join(folder, "store.db")))
			throw new StartProblem(`there is no store.db in ${folder}: set DATA_DIR to the service's data folder`);
		refuseMovedFolder(folder);
	}
	const sql = await openDatabase("store", settings, folder);
	const store = createStore({
		sql,
		clock: systemClock,
		log: () => {},
		version: manifest.version,
		settings: storeSettings(settings),
	});
	return {
		storage: storedEntries({ fetch: store.fetch, baseUrl: "http://store", token }),
		close: async () => sql[Symbol.asyncDispose](),
	};
}

/** An exclusive lock on a database file: unlike a lock file, it is released when the process ends. */
function lockVault(folder: string): Disposable {
	const database = new DatabaseSync(join(folder, "vault.lock"), { timeout: 0 });
	try {
		database.exec("begin exclusive");
	} catch (error) {
		database.close();
		throw new Error("another vault command is running: wait until it ends", { cause: error });
	}
	return { [Symbol.dispose]: () => database.close() };
}

async function status({ file, operations }: VaultContext): Promise<number> {
	const found = await operations.status();
	printLine(`master key: ${file}`);
	printLine(`${found.credentials} credentials, ${found.tenants} tenants, ${found.dataKeys} data keys`);
	if (found.isRotating) printLine("a rotation was interrupted: run rotate to finish it");
	if (found.isRekeying || hasNextKey(file)) printLine("a re-key was interrupted: run rekey to finish it");
	return 0;
}

async function rotate({ operations }: VaultContext): Promise<number> {
	printLine("rotating");
	const { tenants, credentials, broken } = await operations.rotate((tenant, count) =>
		printLine(`${tenant}: new data key, ${count} credentials sealed again`),
	);
	printLine(`${credentials} credentials of ${tenants} tenants are under new data keys`);
	for (const place of broken) {
		printLine(`${place} cannot be opened: set it again or delete it, then run rotate to finish`);
	}
	return broken.length === 0 ? 0 : 1;
}

/** The new key is on disk before anything is wrapped under it, and everything is wrapped before it takes over. */
async function rekey({ file, masterKeys, operations }: VaultContext): Promise<number> {
	const [current] = await masterKeys.load();
	if (!hasNextKey(file) && current !== undefined && (await operations.isUnfinished(current.id))) {
		printLine("re-keying: finishing after an interruption");
		await operations.wrapAll(current.id);
		await operations.leaveOnly(current.id);
		return printLine(`${file} is the only key that opens the vault; run rekey again to make another`);
	}
	printLine(hasNextKey(file) ? "re-keying: continuing after an interruption" : "re-keying");
	const next = await prepareNextKey(file);
	printLine(`${await operations.wrapAll(next.id)} data keys wrapped under the new key too`);
	useNextKey(file);
	printLine(`${file} is the new key`);
	await operations.leaveOnly(next.id);
	return printLine("the old key no longer opens the vault; keep it only with backups made before");
}

function printLine(line: string): 0 {
	process.stdout.write(`${line}\n`);
	return 0;
}
