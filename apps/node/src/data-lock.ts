import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartProblem } from "./settings.ts";

const SQLITE_BUSY = 5;

/**
 * Makes the folder this process's own until it is released or the process ends, however it ends: the operating system
 * holds the lock of the file, and SQLite is what asks it for one on every platform.
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
