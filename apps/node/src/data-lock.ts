import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartProblem } from "./settings.ts";

const SQLITE_BUSY = 5;

/**
 * Locks the folder for this process until it is released or the process ends, even by a crash: the operating system
 * holds the file lock. SQLite is used because it takes such a lock on every platform.
 */
export function lockDataFolder(folder: string): { release(): void } {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(join(folder, "service.lock"), { timeout: 0 });
		database.exec("begin exclusive");
	} catch (error) {
		database?.close();
		const { errcode = 0, message } = error as Error & { errcode?: number };
		throw new StartProblem(
			(errcode & 0xff) === SQLITE_BUSY
				? `DATA_DIR ${folder} is used by another process: stop that one, or set DATA_DIR to another folder`
				: `DATA_DIR ${folder} cannot be locked (${message}): choose a folder on a disk of this machine`,
		);
	}
	const held = database;
	return { release: () => held.close() };
}
