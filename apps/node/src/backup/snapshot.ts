import { closeSync, existsSync, fdatasyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { BACKED_UP, type BackedUp } from "./manifest.ts";
import { yieldToOthers } from "./priority.ts";
import { BackupProblem } from "./problem.ts";

/** Between two commits of a busy service there is time for the locks, sooner or later. */
const LOCK_TIMEOUT_MS = 30_000;
const RETRY_MS = 1;
const SQLITE_BUSY = 5;
/** 4 MiB. */
const PAGES_PER_STEP = 1024;

/** How much of the time is spent copying: the disk and the processors are the service's. */
const MAX_SHARE = 0.5;

const READ_SOMETHING = "select count(*) from sqlite_schema";

export interface Copied {
	readonly name: BackedUp;
	readonly path: string;
}

/**
 * Copies the databases as they were at one moment, while they are in use. All are locked for writing, which takes about
 * a millisecond and lets writers wait; meanwhile a read transaction begins in each, and the locks are released. In WAL
 * mode every transaction keeps seeing that moment, whatever is written later.
 */
export async function copyDatabases(
	folder: string,
	to: string,
	report: (database: BackedUp, share: number) => void,
): Promise<{ readonly at: Date; readonly pausedMs: number; readonly databases: readonly Copied[] }> {
	using opened = new DisposableStack();
	const open = (name: BackedUp) => {
		const database = opened.use(
			new DatabaseSync(join(folder, `${name}.db`), {
				timeout: LOCK_TIMEOUT_MS,
				enableForeignKeyConstraints: false,
			}),
		);
		// The first statement reads the schema, which takes time that nobody should wait for.
		database.prepare(READ_SOMETHING).get();
		return database;
	};
	const names = BACKED_UP.filter((name) => existsSync(join(folder, `${name}.db`)));
	const pairs = names.map((name) => ({ name, reader: open(name), locker: open(name) }));
	const lockers = pairs.map(({ locker }) => locker);
	let begin: number;
	try {
		begin = lockAll(lockers);
		for (const { reader } of pairs) {
			reader.exec("begin");
			reader.prepare(READ_SOMETHING).get();
		}
	} catch (error) {
		throw new BackupProblem(`the databases in ${folder} cannot be read: ${(error as Error).message}`);
	}
	const at = new Date();
	unlock(lockers);
	const pausedMs = performance.now() - begin;
	// Not before: whoever waited for the locks would have waited for this process.
	yieldToOthers();
	const databases: Copied[] = [];
	for (const { name, reader } of pairs) {
		const path = join(to, `${name}.db`);
		await copySlowly(reader, path, (share) => report(name, share));
		reader.exec("rollback");
		databases.push({ name, path });
	}
	return { at, pausedMs, databases };
}

/**
 * Takes all locks or none, because a writer would wait for one of them while this waits for another. Returns when it
 * began to hold them.
 */
function lockAll(databases: readonly DatabaseSync[]): number {
	for (const database of databases) database.exec("pragma busy_timeout = 0");
	for (const until = performance.now() + LOCK_TIMEOUT_MS; ; sleep(RETRY_MS)) {
		const begin = performance.now();
		try {
			for (const database of databases) database.exec("begin immediate");
			return begin;
		} catch (error) {
			unlock(databases);
			const { errcode = 0 } = error as { errcode?: number };
			if ((errcode & 0xff) !== SQLITE_BUSY || begin > until) throw error;
		}
	}
}

function unlock(databases: readonly DatabaseSync[]): void {
	for (const database of databases) if (database.isTransaction) database.exec("rollback");
}

const sleep = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

async function copySlowly(
	source: DatabaseSync,
	path: string,
	report: (share: number) => void,
): Promise<void> {
	const file = openSync(path, "wx+", 0o600);
	let resumedAt = performance.now();
	try {
		await backup(source, path, {
			rate: PAGES_PER_STEP,
			progress({ totalPages, remainingPages }) {
				report(1 - remainingPages / totalPages);
				// A little at a time: the service's own syncs would wait for all that is not yet on the disk.
				fdatasyncSync(file);
				const workedMs = performance.now() - resumedAt;
				// The next step is taken when this returns.
				sleep((workedMs * (1 - MAX_SHARE)) / MAX_SHARE);
				resumedAt = performance.now();
			},
		});
	} finally {
		closeSync(file);
	}
}
