import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BadDatabaseUrl, readConnection } from "@tripline/platform/postgres-connection.node";
import type { Sql } from "@tripline/platform/sql";
import { lockDataFolder } from "../data-lock.ts";
import { type DatabaseName, openDatabase, prepareDataFolder } from "../databases.ts";
import {
	createMoves,
	type MoveMark,
	readFolderMark,
	readMark,
	writeFolderMark,
	writeMark,
} from "../move-marks.ts";
import { type Settings, StartProblem } from "../settings.ts";

export const DATABASES: readonly DatabaseName[] = ["kv", "executor", "store"];

/** Where a deployment is: a data folder or a PostgreSQL database. */
export interface Place {
	readonly kind: "folder" | "postgres";
	/** Contains no password. */
	readonly name: string;
	/** Keeps processes out that lock the same place. */
	lock(): Disposable;
	open(database: DatabaseName): Promise<Sql & AsyncDisposable>;
	/** How an operator removes what is there. */
	readonly removal: string;
	/** The mark of a place whose deployment is moved elsewhere. */
	readMovedTo(store: Sql): Promise<MoveMark | null>;
	writeMovedTo(store: Sql, mark: MoveMark): Promise<void>;
}

type DatabaseSettings = Pick<Settings, "DATABASE_SCHEMA" | "DATABASE_CONNECTIONS">;

export function folderPlace(path: string, settings: DatabaseSettings): Place {
	const folder = resolve(path);
	return {
		kind: "folder",
		name: folder,
		removal: `delete ${DATABASES.map((name) => `${name}.db`).join(", ")} in ${folder}`,
		lock() {
			const lock = lockDataFolder(prepareDataFolder(folder));
			return { [Symbol.dispose]: () => lock.release() };
		},
		open: (database) => openDatabase(database, { ...settings, DATABASE_URL: undefined }, folder),
		readMovedTo: async () => readFolderMark(folder),
		writeMovedTo: async (_, mark) => writeFolderMark(folder, mark),
	};
}

export const hasDeployment = (folder: string): boolean => existsSync(join(folder, "store.db"));

export function postgresPlace(url: string, settings: DatabaseSettings): Place {
	const { host, port, database } = readUrl(url);
	const schemas = DATABASES.map((name) => `${settings.DATABASE_SCHEMA}_${name}`);
	return {
		kind: "postgres",
		name: `postgres://${host}:${port}/${database}`,
		removal: `drop schema ${schemas.join(", ")} cascade`,
		lock: () => ({ [Symbol.dispose]() {} }),
		open: (name) => openDatabase(name, { ...settings, DATABASE_URL: url }, ""),
		readMovedTo: (store) => readMark(store, "to"),
		async writeMovedTo(store, mark) {
			await createMoves(store);
			await store.write([writeMark("to", mark)]);
		},
	};
}

function readUrl(url: string): ReturnType<typeof readConnection> {
	try {
		return readConnection(url);
	} catch (error) {
		throw error instanceof BadDatabaseUrl ? new StartProblem(error.message) : error;
	}
}

/** Problems name the setting of the source; the target is that of an option. */
export async function asTarget<T>(work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof StartProblem)) throw error;
		throw new StartProblem(error.message.replaceAll(/DATA_DIR|DATABASE_URL/g, "--to"));
	}
}
