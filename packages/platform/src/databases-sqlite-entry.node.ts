import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { toBase64 } from "@tripline/contract/bytes";
import type { Json } from "@tripline/contract/json";
import type { DatabaseJob, DatabaseStatement, ReadJob, RowBatch, StatementResult } from "./databases.ts";
import { nameColumns } from "./databases-session.ts";

/** The process gets one after the other, and answers each. */
export interface SqliteRequest {
	/** The real path of a file that exists. */
	readonly path: string;
	readonly job: DatabaseJob;
}

/** Reads rows in parts: the statement first, then null for each further part. */
export interface SqliteReadRequest {
	readonly read: { readonly path: string; readonly job: ReadJob } | null;
}

export type SqliteReadAnswer =
	| { readonly ok: true; readonly batch: RowBatch | null }
	| Extract<SqliteAnswer, { ok: false }>;

export type SqliteAnswer =
	| { readonly ok: true; readonly results: StatementResult[] }
	| { readonly ok: false; readonly error: string; readonly isTemporary: boolean };

const MAX_HEAP_BYTES = 128 * 1024 * 1024;
/** Of one part of the rows that are read in parts, and of one value. */
const PART_BYTES = 1024 * 1024;
const BUSY_MS = 5_000;
/** SQLITE_BUSY and SQLITE_LOCKED. */
const TEMPORARY_CODES = [5, 6];
/** They only tell about the schema. */
const READING_PRAGMAS = new Set([
	"table_info",
	"table_xinfo",
	"table_list",
	"index_list",
	"index_info",
	"index_xinfo",
	"foreign_key_list",
]);

let reading: Iterator<RowBatch> | null = null;

process.on("message", (request: SqliteRequest | SqliteReadRequest) => {
	process.send?.(answer(() => ("read" in request ? readNext(request) : runAll(request))));
});
process.on("disconnect", () => process.exit());

function runAll({ path, job }: SqliteRequest): SqliteAnswer {
	return { ok: true, results: runJob(path, job) };
}

function readNext({ read }: SqliteReadRequest): SqliteReadAnswer {
	if (read !== null) reading = readParts(read.path, read.job);
	const next = reading?.next();
	return { ok: true, batch: next === undefined || next.done === true ? null : next.value };
}

function answer(work: () => SqliteAnswer | SqliteReadAnswer): SqliteAnswer | SqliteReadAnswer {
	try {
		return work();
	} catch (error) {
		const { message, errcode = 0 } = error as Error & { errcode?: number };
		return { ok: false, error: message, isTemporary: TEMPORARY_CODES.includes(errcode & 0xff) };
	}
}

function openFile(path: string, readOnly: boolean, maxBytes: number): DatabaseSync {
	const database = new DatabaseSync(path, {
		readOnly,
		timeout: BUSY_MS,
		allowExtension: false,
		defensive: true,
		limits: { length: maxBytes, attach: 0 },
	});
	database.exec(`pragma trusted_schema = off; pragma hard_heap_limit = ${MAX_HEAP_BYTES}`);
	return database;
}

function* readParts(path: string, { statement, isReadOnly, maxRows }: ReadJob): Generator<RowBatch> {
	const database = openFile(path, isReadOnly, PART_BYTES);
	try {
		database.exec(isReadOnly ? "begin" : "begin immediate");
		database.setAuthorizer(authorize);
		const { prepared, values } = prepare(database, statement);
		const columns = nameColumns(prepared.columns().map(({ name }) => name ?? ""));
		let rows: Json[][] = [];
		let count = 0;
		let bytes = 0;
		let hasMore = false;
		for (const row of prepared.iterate(...values) as Iterable<unknown>) {
			hasMore = count === maxRows;
			if (hasMore) break;
			count++;
			rows.push(
				(row as unknown[]).map((value) =>
					toJson(value, (more) => {
						bytes += more;
					}),
				),
			);
			if (bytes < PART_BYTES) continue;
			yield { columns, rows, hasMore: false };
			rows = [];
			bytes = 0;
		}
		database.setAuthorizer(null);
		database.exec("commit");
		yield { columns, rows, hasMore };
	} finally {
		database.close();
	}
}

function runJob(path: string, { statements, isReadOnly, maxRows, maxBytes }: DatabaseJob): StatementResult[] {
	const database = openFile(path, isReadOnly, maxBytes);
	try {
		let left = maxBytes;
		const take = (bytes: number) => {
			left -= bytes;
			if (left < 0) throw new Error("the rows are larger than a result may be: select fewer rows or columns");
		};
		const isTransaction = isReadOnly || statements.length > 1;
		if (isTransaction) database.exec(isReadOnly ? "begin" : "begin immediate");
		database.setAuthorizer(authorize);
		const results = statements.map((statement) => run(database, statement, maxRows, take));
		database.setAuthorizer(null);
		if (isTransaction) database.exec("commit");
		return results;
	} finally {
		// Without a commit everything is rolled back.
		database.close();
	}
}

/** No other file can be reached: also VACUUM INTO attaches one. */
function authorize(action: number, name: string | null): number {
	const { SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_PRAGMA } = constants;
	const isRefused =
		[SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT].includes(action) ||
		(action === SQLITE_PRAGMA && !READING_PRAGMAS.has((name ?? "").toLowerCase()));
	return isRefused ? constants.SQLITE_DENY : constants.SQLITE_OK;
}

function run(
	database: DatabaseSync,
	statement: DatabaseStatement,
	maxRows: number,
	take: (bytes: number) => void,
): StatementResult {
	const { prepared, values } = prepare(database, statement);
	const columns = prepared.columns().map(({ name }) => name ?? "");
	if (columns.length === 0)
		return { columns, rows: [], changed: Number(prepared.run(...values).changes), hasMore: false };
	const before = countChanges(database);
	const rows: Json[][] = [];
	let hasMore = false;
	for (const row of prepared.iterate(...values) as Iterable<unknown>) {
		hasMore = rows.length === maxRows;
		if (hasMore) break;
		rows.push((row as unknown[]).map((value) => toJson(value, take)));
	}
	return { columns: nameColumns(columns), rows, changed: countChanges(database) - before, hasMore };
}

function prepare(database: DatabaseSync, { sql, params }: DatabaseStatement) {
	const prepared = database.prepare(sql);
	assertAlone(sql, prepared);
	prepared.setReadBigInts(true);
	prepared.setReturnArrays(true);
	return { prepared, values: params.map(toInput) };
}

/** SQLite would ignore what follows the first statement. */
function assertAlone(sql: string, { sourceSQL }: StatementSync): void {
	const rest = sql.slice(sql.indexOf(sourceSQL) + sourceSQL.length);
	if (/^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/.test(rest)) return;
	throw new Error("cannot run several statements in one text: pass them as statements");
}

const countChanges = (database: DatabaseSync): number =>
	Number(database.prepare("select total_changes() as changes").get()?.changes);

function toInput(value: Json): SQLInputValue {
	if (value === null || typeof value === "string") return value;
	if (typeof value === "boolean") return value ? 1n : 0n;
	if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
	return JSON.stringify(value);
}

function toJson(value: unknown, take: (bytes: number) => void): Json {
	take(8);
	if (typeof value === "bigint") {
		const number = Number(value);
		return Number.isSafeInteger(number) ? number : String(value);
	}
	if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
	if (typeof value === "string") {
		take(value.length);
		return value;
	}
	if (!(value instanceof Uint8Array)) return null;
	take(value.length);
	return toBase64(value);
}
