import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { postgresStatement, type Sql, type Statement, statement } from "@tripline/platform/sql";
import { StartProblem } from "./settings.ts";

/** Of a move from SQLite files to PostgreSQL or back. Both sides have it: the service starts on neither before the end. */
export interface MoveMark {
	/** Tells a move that continues from another one. */
	readonly id: string;
	/** The other side, without a password. */
	readonly other: string;
	/** ISO 8601, as is `finished_at`. */
	readonly began_at: string;
	readonly finished_at?: string;
}

/** `from`: the database is filled by a move. `to`: it was moved elsewhere. */
type Role = "from" | "to";

const CREATE_MOVES = "create table if not exists moves (name text primary key, value text not null) strict";

/** Outside the migrations: most deployments never have this table. */
export async function createMoves(sql: Sql): Promise<void> {
	await sql.write([statement(CREATE_MOVES)]);
}

export const writeItem = (name: string, value: string): Statement =>
	statement(
		"insert into moves (name, value) values (?1, ?2) on conflict (name) do update set value = excluded.value",
		name,
		value,
	);

export async function readItem(sql: Sql, name: string): Promise<string | null> {
	const [table] = await sql.read(
		sql.dialect === "postgres"
			? postgresStatement("select 1 as found where to_regclass('moves') is not null")
			: statement("select 1 as found from sqlite_master where name = 'moves'"),
	);
	if (table === undefined) return null;
	const [row] = await sql.read<{ value: string }>(statement("select value from moves where name = ?1", name));
	return row?.value ?? null;
}

export async function readMark(sql: Sql, role: Role): Promise<MoveMark | null> {
	const value = await readItem(sql, role);
	return value === null ? null : (JSON.parse(value) as MoveMark);
}

export const writeMark = (role: Role, mark: MoveMark): Statement => writeItem(role, JSON.stringify(mark));

const getMarkFile = (folder: string): string => join(folder, "moved-to");

/** The mark of a data folder whose databases were moved. An operator deletes the file to use the folder again. */
export function readFolderMark(folder: string): MoveMark | null {
	try {
		return JSON.parse(readFileSync(getMarkFile(folder), "utf8")) as MoveMark;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw new StartProblem(`${getMarkFile(folder)} cannot be read: correct its permissions, or delete it`);
	}
}

export function writeFolderMark(folder: string, mark: MoveMark): void {
	const file = getMarkFile(folder);
	writeFileSync(`${file}.draft`, `${JSON.stringify(mark, null, "\t")}\n`, { mode: 0o600, flush: true });
	renameSync(`${file}.draft`, file);
}

/** Throws if the data was moved elsewhere: what is written here would be missing there. */
export function refuseMovedFolder(folder: string): void {
	const mark = readFolderMark(folder);
	if (mark !== null)
		throw new StartProblem(
			mark.finished_at === undefined
				? `DATA_DIR ${folder} is being moved to ${mark.other}: finish it with tripline move, or delete ${getMarkFile(folder)} to use the folder again`
				: `DATA_DIR ${folder} was moved to ${mark.other} on ${mark.finished_at}: set DATABASE_URL, or delete ${getMarkFile(folder)} to use the folder again`,
		);
}

/** Throws if the database was moved elsewhere, or a move into it has not finished. */
export async function refuseMovedDatabase(sql: Sql, name: string): Promise<void> {
	const from = await readMark(sql, "from");
	if (from !== null && from.finished_at === undefined)
		throw new StartProblem(`${name} has only a part of ${from.other}: finish it with tripline move`);
	const to = await readMark(sql, "to");
	if (to !== null)
		throw new StartProblem(
			`${name} ${to.finished_at === undefined ? "is being moved" : "was moved"} to ${to.other}: leave DATABASE_URL unset and set DATA_DIR to that folder, or delete the row 'to' from the table moves to use the database again`,
		);
}
