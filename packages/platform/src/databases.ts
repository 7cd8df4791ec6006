import type { Json } from "@tripline/contract/json";

/** Databases of others, which workflows query. Errors name no secret. */
export interface Databases {
	/**
	 * Runs one statement, or several as one transaction. Rejects with a `DatabaseProblem` if a retry cannot help or may
	 * repeat a change. Aborting ends the statement at the server too.
	 */
	run(database: Database | DatabaseFile, job: DatabaseJob, signal: AbortSignal): Promise<StatementResult[]>;
	/**
	 * The rows of one statement, some at a time, in a transaction that is committed after the last ones. Ending the
	 * iteration earlier rolls it back.
	 */
	read(database: Database | DatabaseFile, job: ReadJob, signal: AbortSignal): AsyncIterable<RowBatch>;
	/** Closes connections. */
	close(): Promise<void>;
}

export interface Database {
	readonly engine: "postgresql" | "mysql";
	/** Connections are shared by calls with the same key. */
	readonly key: string;
	/** Without brackets. */
	readonly hostname: string;
	readonly port: number;
	readonly database: string;
	readonly user: string;
	readonly password: string;
	/** Verified. Without it only servers on private networks are reached. */
	readonly usesTls: boolean;
	/** Certificates to trust instead of the public ones, as PEM. */
	readonly trust?: string | undefined;
}

/** A SQLite file, which must exist. */
interface DatabaseFile {
	readonly engine: "sqlite";
	/** Checked, and without links. */
	readonly path: string;
}

export interface DatabaseJob {
	/** One per execution, without transaction control. Values come only as bound parameters. */
	readonly statements: readonly DatabaseStatement[];
	readonly isReadOnly: boolean;
	/** Of each statement; further ones are not read. */
	readonly maxRows: number;
	/** Of all rows, as the server sends them. More is a problem. */
	readonly maxBytes: number;
}

export interface ReadJob extends Pick<DatabaseJob, "isReadOnly" | "maxRows"> {
	readonly statement: DatabaseStatement;
}

/** There is at least one, which may be empty. */
export interface RowBatch {
	/** All different, and the same in each. */
	readonly columns: readonly string[];
	readonly rows: readonly (readonly Json[])[];
	/** Of the last one: whether there are more rows than wanted. */
	readonly hasMore: boolean;
}

export interface DatabaseStatement {
	readonly sql: string;
	readonly params: readonly Json[];
}

export interface StatementResult {
	/** All different. */
	readonly columns: readonly string[];
	readonly rows: readonly (readonly Json[])[];
	/** Rows that were inserted, changed or deleted. */
	readonly changed: number;
	readonly hasMore: boolean;
}

/** A retry would fail in the same way, or could repeat a change. */
export class DatabaseProblem extends Error {
	override readonly name = "DatabaseProblem";
}
