import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { executorMigrations } from "@tripline/platform/executor-database";
import { kvMigrations } from "@tripline/platform/kv.sqlite";
import type { Log } from "@tripline/platform/log";
import { type Migration, migrate, NewerDatabase } from "@tripline/platform/migrations";
import type { Sql } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { bringForward } from "./downgraded.ts";
import { type Settings, StartProblem } from "./settings.ts";

export type DatabaseName = "store" | "kv" | "executor";

type DatabaseSettings = Pick<Settings, "DATABASE_URL" | "DATABASE_SCHEMA" | "DATABASE_CONNECTIONS">;

/** Opens a database and migrates it to the newest schema: a schema of PostgreSQL, or a SQLite file in the data folder. */
export async function openDatabase(
	name: DatabaseName,
	settings: DatabaseSettings,
	dataFolder: string,
	log: Log = () => {},
): Promise<Sql & AsyncDisposable> {
	const { DATABASE_URL: url } = settings;
	if (url !== undefined) return openSchema(name, { ...settings, DATABASE_URL: url });
	const sql = await openFile(dataFolder, `${name}.db`, MIGRATIONS[name], log);
	return Object.assign(sql, { [Symbol.asyncDispose]: async () => sql.close() });
}

export const MIGRATIONS: Readonly<Record<DatabaseName, readonly Migration[]>> = {
	store: storeMigrations,
	kv: kvMigrations,
	executor: executorMigrations,
};

/** Of the connections three write and one listens. The store reads more than the others. */
const FEW_READERS = 2;
const OTHER_CONNECTIONS = 4 + 2 * FEW_READERS;

async function openSchema(
	name: DatabaseName,
	settings: DatabaseSettings & { readonly DATABASE_URL: string },
): Promise<Sql & AsyncDisposable> {
	const { DATABASE_URL: url, DATABASE_SCHEMA: prefix, DATABASE_CONNECTIONS: connections } = settings;
	// Loaded only here, because most deployments do not need it.
	const { openPostgres } = await import("@tripline/platform/sql.postgres");
	const { chooseStoreMigrations } = await import("@tripline/store/storage/postgres/migrations");
	try {
		const maxReaders = name === "store" ? Math.max(1, connections - OTHER_CONNECTIONS) : FEW_READERS;
		const sql = await openPostgres(url, { schema: `${prefix}_${name}`, maxReaders });
		try {
			await migrate(sql, name === "store" ? chooseStoreMigrations(sql) : MIGRATIONS[name]);
		} catch (error) {
			await sql.close();
			throw error;
		}
		return Object.assign(sql, { [Symbol.asyncDispose]: () => sql.close() });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StartProblem(
			error instanceof NewerDatabase
				? `the database of DATABASE_URL cannot be used: ${reason}; use that version, or restore a backup`
				: `the database of DATABASE_URL cannot be used: ${reason}`,
		);
	}
}

/** The version that used a data folder last, so that an older one can name it. */
const VERSION_FILE = "version";

export function recordVersion(folder: string, version: string): void {
	try {
		if (readVersion(folder) !== version)
			writeFileSync(join(folder, VERSION_FILE), `${version}\n`, { mode: 0o600 });
	} catch {
		// A full disk must not keep the service from starting.
	}
}

/** Null if no service has recorded it. */
export function readVersion(folder: string): string | null {
	try {
		return readFileSync(join(folder, VERSION_FILE), "utf8").trim().slice(0, MAX_VERSION_LENGTH);
	} catch {
		return null;
	}
}

const MAX_VERSION_LENGTH = 64;

function describeWriter(folder: string): string {
	const version = readVersion(folder);
	return version === null ? "use that version" : `use version ${version}`;
}

export const prepareDataFolder = (path: string): string => prepareFolder("DATA_DIR", path);

/** Creates the folder of a setting unless it exists. */
export function prepareFolder(setting: "DATA_DIR" | "FILES_DIR", path: string): string {
	const folder = resolve(path);
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
		return folder;
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
		throw new StartProblem(
			`${setting} ${folder} cannot be written (${code}): choose a folder this user can write`,
		);
	}
}

/** Opens a SQLite file and migrates it to the newest schema. */
export async function openFile(
	folder: string,
	name: string,
	migrations: readonly Migration[],
	log: Log = () => {},
): Promise<Sql & { close(): void }> {
	const path = join(folder, name);
	let sql: ReturnType<typeof openSqlite> | undefined;
	let isOpen = false;
	try {
		sql = openSqlite(path, ({ message }) => {
			// Damage found before that fails the start with its own message.
			if (isOpen) log("error", "the database is damaged", { file: path, error: message });
		});
		await bringForward(sql);
		await migrate(sql, migrations);
		isOpen = true;
		return sql;
	} catch (error) {
		sql?.close();
		const reason = error instanceof Error ? error.message : String(error);
		const fix =
			error instanceof NewerDatabase
				? `${describeWriter(folder)}, run tripline downgrade with it, or restore a backup`
				: "correct its permissions, restore it from a copy, or set DATA_DIR to another folder";
		throw new StartProblem(`${path} cannot be used: ${reason}; ${fix}`);
	}
}
