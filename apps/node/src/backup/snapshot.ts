import { closeSync, existsSync, fdatasyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { BACKED_UP, type BackedUp } from "./manifest.ts";
import { BackupProblem } from "./problem.ts";

/** Longer than any commit of the service takes. */
const LOCK_TIMEOUT_MS = 5000;
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
	const begin = performance.now();
	try {
		for (const { locker } of pairs) locker.exec("begin immediate");
		for (const { reader } of pairs) {
			reader.exec("begin");
			reader.prepare(READ_SOMETHING).get();
		}
	} catch (error) {
		throw new BackupProblem(`the databases in ${folder} cannot be read: ${(error as Error).message}`);
	}
	const at = new Date();
	for (const { locker } of pairs) locker.exec("rollback");
	const pausedMs = performance.now() - begin;
	const databases: Copied[] = [];
	for (const { name, reader } of pairs) {
		const path = join(to, `${name}.db`);
		await copySlowly(reader, path, (share) => report(name, share));
		reader.exec("rollback");
		databases.push({ name, path });
	}
	return { at, pausedMs, databases };
}

async function copySlowly(
	source: DatabaseSync,
	path: string,
	report: (share: number) => void,
): Promise<void> {
	const pause = new Int32Array(new SharedArrayBuffer(4));
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
				Atomics.wait(pause, 0, 0, (workedMs * (1 - MAX_SHARE)) / MAX_SHARE);
				resumedAt = performance.now();
			},
		});
	} finally {
		closeSync(file);
	}
}
