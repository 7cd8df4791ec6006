import { accessSync, constants, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Log } from "@tripline/platform/log";
import { type Migration, migrate, NewerDatabase } from "@tripline/platform/migrations";
import type { Sql } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { StartProblem } from "./settings.ts";

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

/** Opens the database and migrates it to the newest schema. */
export async function openDatabase(
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
		await migrate(sql, migrations);
		isOpen = true;
		return sql;
	} catch (error) {
		sql?.close();
		const reason = error instanceof Error ? error.message : String(error);
		const fix =
			error instanceof NewerDatabase
				? "update the service, or set DATA_DIR to another folder"
				: "correct its permissions, restore it from a copy, or set DATA_DIR to another folder";
		throw new StartProblem(`${path} cannot be used: ${reason}; ${fix}`);
	}
}
