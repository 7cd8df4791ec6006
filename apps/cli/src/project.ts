import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Io } from "./io.ts";

export const SETTINGS_FILE = "tripline.json";
export const ENVIRONMENT_FILE = ".env";
const ROOT_USER = 0;

const folderByIo = new WeakMap<Io, string>();

/**
 * The folder of the project: the nearest one, from the working folder upwards, with a `tripline.json`; without any, the
 * nearest with an `.env`; else the working folder. The result is cached for the process.
 */
export function findProjectFolder(io: Io): string {
	const folder = folderByIo.get(io) ?? searchProject(io);
	folderByIo.set(io, folder);
	return folder;
}

function searchProject(io: Io): string {
	const folders = [io.cwd, ...listFoldersAbove(io.cwd, listHomes(io))];
	const refused = new Set<string>();
	const folder = findNearestWith(SETTINGS_FILE) ?? findNearestWith(ENVIRONMENT_FILE) ?? io.cwd;
	for (const path of refused) io.err(`${path} is not used: it belongs to another user\n`);
	return folder;

	function findNearestWith(file: string): string | undefined {
		return folders.filter((each) => isFile(join(each, file))).find(isTrusted);
	}

	/** The user chose the working folder. Above it, for example in /tmp, anyone may have left a file. */
	function isTrusted(each: string): boolean {
		if (each === io.cwd) return true;
		const paths = [SETTINGS_FILE, ENVIRONMENT_FILE].map((file) => join(each, file));
		const foreign = paths.find((path) => isForeign(path, io.uid));
		if (foreign !== undefined) refused.add(foreign);
		return foreign === undefined;
	}
}

/** Neither the home folder nor the root of the file system is a project for its subfolders. */
function listFoldersAbove(folder: string, homes: readonly string[]): readonly string[] {
	const above = dirname(folder);
	const isEnd = homes.includes(folder) || homes.includes(above) || above === dirname(above);
	return isEnd ? [] : [above, ...listFoldersAbove(above, homes)];
}

/** The home folder as named and with links resolved, because the working folder's path has its links resolved. */
function listHomes({ home }: Io): readonly string[] {
	try {
		return [resolve(home), realpathSync(home)];
	} catch {
		return [resolve(home)];
	}
}

function isFile(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
	} catch {
		return false;
	}
}

/** For a link, both the link and its target count. */
function isForeign(path: string, uid: number | null): boolean {
	if (uid === null) return false;
	try {
		const owners = [lstatSync, statSync].map((stat) => stat(path, { throwIfNoEntry: false })?.uid ?? uid);
		return owners.some((owner) => owner !== uid && owner !== ROOT_USER);
	} catch {
		return true;
	}
}
