import { PlatformUnavailable } from "./unavailable.ts";

export type SqlValue = string | number | null | Uint8Array;

/**
 * Values are bound, never written into the text. Placeholders are numbered: `?1`.
 *
 * SQLite compiles a statement anew at every run when a bound value could change its plan: one that is a LIMIT, or that
 * is compared with a column a partial index speaks of. There the placeholder is written `+?1`, which hides its value.
 */
export interface Statement {
	readonly text: string;
	readonly values: readonly SqlValue[];
}

export interface Outcome {
	readonly rows: readonly Row[];
	/** Rows inserted, updated or deleted. */
	readonly changes: number;
}

export type Row = Readonly<Record<string, SqlValue>>;

/**
 * A database. D1 has no interactive transaction, so the unit of work on every platform is a list of statements:
 * all of them happen or none does, and what `write` has answered survives a crash.
 */
export interface Sql {
	read<R>(statement: Statement): Promise<R[]>;
	write(unit: readonly Statement[]): Promise<Outcome[]>;
	/** Gives a bounded amount of deleted space back to the file system, where the platform can. */
	compact(): Promise<void>;
	/** Bytes that the database takes up; null where the platform does not tell. */
	size(): Promise<number | null>;
	/** Why it must not be relied on, though it may still answer some calls; null: nothing is known. */
	trouble?(): SqlUnavailable | null;
}

/** The database cannot answer now (disk full, I/O error, locked too long); the same call may work later. */
export class SqlUnavailable extends PlatformUnavailable {
	override readonly name: string = "SqlUnavailable";
}

/** The database found itself damaged: what it stored there is lost until somebody restores it. */
export class SqlDamaged extends SqlUnavailable {
	override readonly name = "SqlDamaged";
}

export const statement = (text: string, ...values: SqlValue[]): Statement => ({ text, values });
