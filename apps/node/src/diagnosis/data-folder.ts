import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readFolderMark } from "../move-marks.ts";
import { type Check, fail, findReason, ok, warn } from "./check.ts";

/** Whether the data folder is there, is this user's, and is closed to others. */
export function checkDataFolder(folder: string): Check {
	const name = "data folder";
	if (!existsSync(folder)) {
		const parent = dirname(folder);
		if (existsSync(parent) && !mayWrite(parent))
			return fail(name, `${folder} cannot be created`, "set DATA_DIR to a folder that this user can write");
		return ok(name, `${folder} does not exist yet: the first start creates it`);
	}
	try {
		const stats = statSync(folder);
		if (!stats.isDirectory())
			return fail(name, `${folder} is not a folder`, "set DATA_DIR to a folder on a disk of this machine");
		if (!mayWrite(folder))
			return fail(
				name,
				`${folder} cannot be written by this user`,
				"change its owner to the user of the service, or run this command as that user",
			);
		// Windows has no such permissions.
		const mode = stats.mode & 0o777;
		if (process.getuid !== undefined && (mode & 0o077) !== 0)
			return warn(
				name,
				`others can open ${folder} (mode ${mode.toString(8).padStart(4, "0")})`,
				`run: chmod 700 ${folder}`,
			);
		const foreign = findForeign(folder, stats.uid);
		if (foreign !== null)
			return fail(
				name,
				`${foreign} belongs to another user than ${folder}`,
				"change its owner to the user of the service: the service cannot write it",
			);
		const moved = readFolderMark(folder);
		if (moved !== null)
			return fail(
				name,
				`the data of ${folder} was moved to ${moved.other}`,
				"set DATABASE_URL, or DATA_DIR to the folder that is in use",
			);
		return ok(name, `${folder} is private and can be written`);
	} catch (error) {
		return fail(name, `${folder} cannot be read (${findReason(error)})`, "correct its permissions");
	}
}

function mayWrite(folder: string): boolean {
	try {
		accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** A file that was made as another user, for example by a command that ran as root. */
function findForeign(folder: string, uid: number): string | null {
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		if (statSync(path, { throwIfNoEntry: false })?.uid !== uid && existsSync(path)) return path;
	}
	return null;
}
