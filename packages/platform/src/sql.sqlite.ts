import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
	type Outcome,
	type Row,
	type Sql,
	SqlDamaged,
	SqlUnavailable,
	type SqlValue,
	type Statement,
} from "./sql.ts";

/** Older versions can corrupt a database in WAL mode when two connections write and checkpoint at once. */
const MIN_SAFE_SQLITE = [3, 51, 3] as const;

const MAX_CACHED_STATEMENTS = 256;
const BUSY_TIMEOUT_MS = 5000;
const PAGES_PER_COMPACT = 2000;
const IO_ERROR = 10;
/** This many I/O errors without a commit in between are not temporary. */
const MAX_IO_ERRORS = 3;
/** Time per turn of the event loop for executing writes, not counting the commit. */
const COMMIT_MS = 5;
const SIZE = "select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()";

interface Prepared {
	readonly compiled: StatementSync;
	/** Empty for a statement that returns no rows. */
	readonly columns: readonly string[];
}

interface PendingUnit {
	readonly unit: readonly Statement[];
	readonly resolve: (outcomes: Outcome[]) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * The first unit of work in a turn of the event loop is committed immediately. Later ones in the same turn share one
 * commit, and so one sync to disk; the failure of one does not roll back the others.
 */
export function openSqlite(
	/** A path, or a database that is already open. */
	source: string | DatabaseSync,
	/** Called once, when damage is first detected. */
	onDamage: (damage: SqlDamaged) => void = () => {},
): Sql & { close(): void } {
	const database = connect(source);
	const prepared = new Map<string, Prepared>();
	let pending: PendingUnit[] = [];
	let isTurnTaken = false;
	let damage: SqlDamaged | null = null;
	let ioErrors = 0;

	return {
		trouble: () =>
			damage ?? (ioErrors >= MAX_IO_ERRORS ? new SqlUnavailable("the disk reports I/O errors") : null),
		async read<R>(statement: Statement): Promise<R[]> {
			try {
				return readRows(prepare(statement.text), statement) as R[];
			} catch (error) {
				throw translate(error);
			}
		},
		write(unit) {
			const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
			pending.push({ unit, resolve, reject });
			if (!isTurnTaken) {
				isTurnTaken = true;
				setImmediate(endTurn);
				commitPending();
			}
			return promise;
		},
		async compact() {
			try {
				database.exec(`pragma incremental_vacuum(${PAGES_PER_COMPACT})`);
				// A reader, such as a backup, may be there for long. The journal can shrink another time.
				database.exec("pragma busy_timeout = 0; pragma wal_checkpoint(truncate)");
			} catch (error) {
				throw translate(error);
			} finally {
				database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
			}
		},
		async size() {
			try {
				const [row] = readRows(prepare(SIZE), { text: SIZE, values: [] });
				return Number(row?.bytes);
			} catch (error) {
				throw translate(error);
			}
		},
		close() {
			while (pending.length > 0) commitPending();
			database.close();
		},
	};

	function endTurn(): void {
		isTurnTaken = false;
		if (!database.isOpen) return;
		commitPending();
		if (pending.length === 0) return;
		isTurnTaken = true;
		setImmediate(endTurn);
	}

	/** Units that do not fit into this turn of the event loop stay pending. */
	function commitPending(): void {
		const units = pending;
		pending = [];
		if (units.length === 0) return;
		const settle: (() => void)[] = [];
		try {
			if (units.length === 1 && units[0]?.unit.length === 1) settle.push(runUnit(units[0]));
			else {
				const until = performance.now() + COMMIT_MS;
				database.exec("begin immediate");
				for (const unit of units) {
					settle.push(runInSavepoint(unit));
					if (performance.now() > until) break;
				}
				database.exec("commit");
			}
		} catch (error) {
			if (database.isTransaction) database.exec("rollback");
			const reason = translate(error);
			for (const unit of units) unit.reject(reason);
			return;
		}
		ioErrors = 0;
		pending = units.slice(settle.length);
		for (const answer of settle) answer();
	}

	/** A statement that fails undoes itself, so that a unit of one needs no savepoint. */
	function runInSavepoint(pendingUnit: PendingUnit): () => void {
		const isSingle = pendingUnit.unit.length === 1;
		if (!isSingle) database.exec("savepoint unit");
		try {
			const answer = runUnit(pendingUnit);
			if (!isSingle) database.exec("release unit");
			return answer;
		} catch (error) {
			// A full disk or an I/O error may have ended the whole transaction.
			if (!database.isTransaction) throw error;
			if (!isSingle) database.exec("rollback to unit; release unit");
			return () => pendingUnit.reject(translate(error));
		}
	}

	function runUnit({ unit, resolve }: PendingUnit): () => void {
		const outcomes = unit.map(run);
		return () => resolve(outcomes);
	}

	function run(statement: Statement): Outcome {
		const ready = prepare(statement.text);
		if (ready.columns.length > 0) {
			const rows = readRows(ready, statement);
			return { rows, changes: rows.length };
		}
		return { rows: [], changes: Number(ready.compiled.run(...statement.values).changes) };
	}

	/** Maps the error for the caller, and records what it reveals about the state of the database. */
	function translate(error: unknown): unknown {
		const code = (error as { errcode?: unknown } | null)?.errcode;
		if (typeof code !== "number") return error;
		const { message } = error as Error;
		const kind = code & 0xff;
		if (DAMAGE_CODES.has(kind) || DAMAGE_CODES.has(code)) {
			const found = new SqlDamaged(message, { cause: error });
			if (damage === null) onDamage(found);
			damage ??= found;
			return found;
		}
		if (!TEMPORARY_CODES.has(kind)) return error;
		if (kind === IO_ERROR) ioErrors++;
		return new SqlUnavailable(message, { cause: error });
	}

	function prepare(text: string): Prepared {
		const known = prepared.get(text);
		if (known !== undefined) return known;
		if (prepared.size >= MAX_CACHED_STATEMENTS) prepared.delete(prepared.keys().next().value as string);
		const compiled = database.prepare(text);
		compiled.setReturnArrays(true);
		const fresh = { compiled, columns: compiled.columns().map((column) => column.name) };
		// The result also contains the last row id, which for a full-text index can exceed a safe integer.
		if (fresh.columns.length === 0) compiled.setReadBigInts(true);
		prepared.set(text, fresh);
		return fresh;
	}
}

/** Builds rows with a shared hidden class, which is faster than the dictionary objects of `node:sqlite`. */
function readRows({ compiled, columns }: Prepared, statement: Statement): Row[] {
	const found = compiled.all(...statement.values) as unknown as SqlValue[][];
	const rows: Row[] = [];
	for (const values of found) {
		const row: Record<string, SqlValue> = {};
		for (let index = 0; index < columns.length; index++) {
			row[columns[index] as string] = values[index] as SqlValue;
		}
		rows.push(row);
	}
	return rows;
}

function connect(source: string | DatabaseSync): DatabaseSync {
	const database =
		typeof source === "string"
			? new DatabaseSync(source, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS })
			: source;
	try {
		assertSafeVersion(database);
		// auto_vacuum takes effect only before the first table, and must precede WAL mode.
		database.exec("pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = full");
		database.exec("pragma trusted_schema = off; pragma journal_size_limit = 67108864");
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function assertSafeVersion(database: DatabaseSync): void {
	const row = database.prepare("select sqlite_version() as version").get();
	const version = String(row?.version);
	const parts = version.split(".").map(Number);
	const difference =
		MIN_SAFE_SQLITE.map((part, index) => (parts[index] ?? 0) - part).find((d) => d !== 0) ?? 0;
	if (difference < 0) {
		throw new Error(`SQLite ${version} is older than ${MIN_SAFE_SQLITE.join(".")}: use a newer Node`);
	}
}

/** SQLITE_BUSY 5, LOCKED 6, READONLY 8, IOERR 10, FULL 13, CANTOPEN 14: the caller may retry. */
const TEMPORARY_CODES = new Set([5, 6, 8, IO_ERROR, 13, 14]);
/** SQLITE_CORRUPT 11, NOTADB 26, IOERR_DATA 8202, IOERR_CORRUPTFS 8458: permanent, so retrying does not help. */
const DAMAGE_CODES = new Set([11, 26, 8202, 8458]);
