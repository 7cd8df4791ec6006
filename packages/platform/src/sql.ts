import { PlatformUnavailable } from "./unavailable.ts";

export type SqlValue = string | number | null | Uint8Array;

/**
 * Values are bound, never written into the text. Placeholders are numbered: `?1`.
 *
 * SQLite recompiles a statement at every run if a bound value could change its plan: in a LIMIT, or compared with a
 * column that a partial index uses. There the placeholder is written `+?1`, which hides its value.
 */
export interface Statement {
	readonly text: string;
	readonly values: readonly SqlValue[];
	/** Set if the text is in PostgreSQL's own dialect, with the same placeholders. All others are in SQLite's. */
	readonly dialect?: Dialect | undefined;
}

/** Databases whose dialect is not SQLite's. */
export type Dialect = "postgres";

export interface Outcome {
	readonly rows: readonly Row[];
	/** Rows inserted, updated or deleted. */
	readonly changes: number;
}

export type Row = Readonly<Record<string, SqlValue>>;

/**
 * A database. D1 has no interactive transaction, so the unit of work on every platform is a list of statements:
 * all of them happen or none does, and once `write` has resolved, its changes survive a crash.
 */
export interface Sql {
	/** Absent for SQLite's, which D1 shares. */
	readonly dialect?: Dialect;
	read<R>(statement: Statement): Promise<R[]>;
	write(unit: readonly Statement[]): Promise<Outcome[]>;
	/** Returns a bounded amount of free space to the file system, if the platform supports it. */
	compact(): Promise<void>;
	/** Size of the database in bytes; null if the platform does not report it. */
	size(): Promise<number | null>;
	/**
	 * Shortens a text that is only compared with others to what an index can hold; equal texts stay equal. Absent if an index
	 * holds any text.
	 */
	shortenKey?(text: string): string;
	/** Why the database is unreliable, although some calls may still succeed; null if no problem is known. */
	trouble?(): SqlUnavailable | null;
}

/** The database cannot answer now (disk full, I/O error, locked too long); the same call may work later. */
export class SqlUnavailable extends PlatformUnavailable {
	override readonly name: string = "SqlUnavailable";
}

/** The database is corrupt: the affected data is lost until it is restored from a backup. */
export class SqlDamaged extends SqlUnavailable {
	override readonly name = "SqlDamaged";
}

export const statement = (text: string, ...values: SqlValue[]): Statement => ({ text, values });

/** A statement in PostgreSQL's own dialect. */
export const postgresStatement = (text: string, ...values: SqlValue[]): Statement => ({
	text,
	values,
	dialect: "postgres",
});
