import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type Outcome, type Row, type Sql, SqlUnavailable, type Statement } from "./sql.ts";

/** Older versions can corrupt a database in WAL mode when two connections write and checkpoint at once. */
const OLDEST_SAFE_SQLITE = [3, 51, 3] as const;

const CACHED_STATEMENTS = 256;
/** The default, 2 MiB, holds not even the inner pages of the indexes of a million entries. */
const CACHE_KIB = 16 * 1024;
const PAGES_PER_COMPACT = 2000;

interface Prepared {
	readonly compiled: StatementSync;
	readonly returnsRows: boolean;
}

interface PendingUnit {
	readonly unit: readonly Statement[];
	readonly resolve: (outcomes: Outcome[]) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * Units that arrive in one turn of the event loop share one commit, and so one sync to disk; each keeps its own
 * savepoint, so one that fails takes no other along.
 */
export function openSqlite(path: string): Sql & { close(): void } {
	const database = connect(path);
	const prepared = new Map<string, Prepared>();
	let pending: PendingUnit[] = [];

	return {
		async read<R>(statement: Statement): Promise<R[]> {
			return guarded(() => prepare(statement.text).compiled.all(...statement.values)) as R[];
		},
		write(unit) {
			const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
			if (pending.push({ unit, resolve, reject }) === 1) setImmediate(commitPending);
			return promise;
		},
		async compact() {
			guarded(() => {
				database.exec(`pragma incremental_vacuum(${PAGES_PER_COMPACT})`);
				database.exec("pragma wal_checkpoint(truncate)");
			});
		},
		close() {
			commitPending();
			database.close();
		},
	};

	function commitPending(): void {
		const units = pending;
		pending = [];
		if (units.length === 0) return;
		const settle: (() => void)[] = [];
		try {
			if (units.length === 1 && units[0]?.unit.length === 1) settle.push(runUnit(units[0]));
			else {
				database.exec("begin immediate");
				for (const unit of units) settle.push(runInSavepoint(unit));
				database.exec("commit");
			}
		} catch (error) {
			if (database.isTransaction) database.exec("rollback");
			for (const unit of units) unit.reject(translate(error));
			return;
		}
		for (const answer of settle) answer();
	}

	function runInSavepoint(pendingUnit: PendingUnit): () => void {
		database.exec("savepoint unit");
		try {
			const answer = runUnit(pendingUnit);
			database.exec("release unit");
			return answer;
		} catch (error) {
			// A full disk or an I/O error may have ended the whole transaction.
			if (!database.isTransaction) throw error;
			database.exec("rollback to unit; release unit");
			return () => pendingUnit.reject(translate(error));
		}
	}

	function runUnit({ unit, resolve }: PendingUnit): () => void {
		const outcomes = unit.map(run);
		return () => resolve(outcomes);
	}

	function run(statement: Statement): Outcome {
		const { compiled, returnsRows } = prepare(statement.text);
		if (returnsRows) {
			const rows = compiled.all(...statement.values) as Row[];
			return { rows, changes: rows.length };
		}
		return { rows: [], changes: Number(compiled.run(...statement.values).changes) };
	}

	function prepare(text: string): Prepared {
		const known = prepared.get(text);
		if (known !== undefined) return known;
		if (prepared.size >= CACHED_STATEMENTS) prepared.delete(prepared.keys().next().value as string);
		const compiled = database.prepare(text);
		const fresh = { compiled, returnsRows: compiled.columns().length > 0 };
		prepared.set(text, fresh);
		return fresh;
	}
}

function connect(path: string): DatabaseSync {
	const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
	try {
		assertSafeVersion(database);
		// auto_vacuum takes effect only before the first table, and must precede WAL mode.
		database.exec("pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = full");
		database.exec("pragma trusted_schema = off; pragma journal_size_limit = 67108864");
		database.exec(`pragma cache_size = -${CACHE_KIB}`);
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
		OLDEST_SAFE_SQLITE.map((part, index) => (parts[index] ?? 0) - part).find((d) => d !== 0) ?? 0;
	if (difference < 0) {
		throw new Error(`SQLite ${version} is older than ${OLDEST_SAFE_SQLITE.join(".")}: use a newer Node`);
	}
}

function guarded<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw translate(error);
	}
}

/** SQLITE_BUSY 5, LOCKED 6, READONLY 8, IOERR 10, FULL 13, CANTOPEN 14: the caller may try again. */
const PASSING_CODES = new Set([5, 6, 8, 10, 13, 14]);

function translate(error: unknown): unknown {
	const code = (error as { errcode?: unknown } | null)?.errcode;
	if (typeof code !== "number" || !PASSING_CODES.has(code & 0xff)) return error;
	return new SqlUnavailable((error as Error).message, { cause: error });
}
