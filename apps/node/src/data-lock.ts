import { chownSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartProblem } from "./settings.ts";

const SQLITE_BUSY = 5;

/**
 * Locks the folder for this process until it is released or the process ends, even by a crash: the operating system
 * holds the file lock. SQLite is used because it takes such a lock on every platform.
 */
export function lockDataFolder(folder: string): Lock {
	return (
		lockFile(folder, "service.lock", 0) ??
		refuse(`DATA_DIR ${folder} is used by another process: stop that one, or set DATA_DIR to another folder`)
	);
}

const BACKUP_LOCK = "backup.lock";
/** Longer than `isBeingBackedUp` holds it. */
const BACKUP_LOCK_TIMEOUT_MS = 1000;

/** For the time of a backup, which may be that of another process than the service. */
export function lockForBackup(folder: string): Lock {
	const lock =
		lockFile(folder, BACKUP_LOCK, BACKUP_LOCK_TIMEOUT_MS) ??
		refuse(`another backup of ${folder} is being made: wait until it has ended`);
	if (process.getuid?.() === 0) {
		// The service asks for the lock too, and may be another user.
		const { uid, gid } = statSync(folder);
		chownSync(join(folder, BACKUP_LOCK), uid, gid);
	}
	return lock;
}

export function isBeingBackedUp(folder: string): boolean {
	if (!existsSync(join(folder, BACKUP_LOCK))) return false;
	const lock = lockFile(folder, BACKUP_LOCK, 0);
	lock?.release();
	return lock === null;
}

interface Lock {
	release(): void;
}

/** Null if another process has it. */
function lockFile(folder: string, name: string, timeout: number): Lock | null {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(join(folder, name), { timeout });
		database.exec("begin exclusive");
	} catch (error) {
		database?.close();
		const { errcode = 0, message } = error as Error & { errcode?: number };
		if ((errcode & 0xff) === SQLITE_BUSY) return null;
		return refuse(
			`DATA_DIR ${folder} cannot be locked (${message}): choose a folder on a disk of this machine`,
		);
	}
	const held = database;
	return { release: () => held.close() };
}

function refuse(message: string): never {
	throw new StartProblem(message);
}
