import { randomBytes } from "node:crypto";
import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	linkSync,
	lstatSync,
	mkdirSync,
	openSync,
	readSync,
	renameSync,
	type Stats,
	unlinkSync,
	writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type MasterKeys, masterKeyOf, newMasterKeyText } from "@tripline/platform/master-key";
import type { VaultKey } from "@tripline/platform/vault";
import { StartProblem } from "./settings.ts";

/** More than any key; a larger file is something else. */
const MOST_BYTES = 1024;

export const masterKeyPath = (
	settings: { MASTER_KEY_FILE?: string | undefined },
	dataFolder: string,
): string =>
	settings.MASTER_KEY_FILE === undefined
		? join(dataFolder, "keys", "master.key")
		: resolve(settings.MASTER_KEY_FILE);

/** While re-keying the key that will take over lies beside the one in use. */
const nextPath = (file: string): string => `${file}.next`;

/**
 * The master key in its file, made when there is none. A vault that is in use already needs the key it was made with:
 * a new one beside it would look like a start and lose every credential.
 */
export async function openMasterKeys(
	file: string,
	deps: { isVaultInUse(): Promise<boolean> },
): Promise<MasterKeys> {
	if (!isThere(file) && !isThere(nextPath(file))) {
		if (await deps.isVaultInUse()) {
			throw new StartProblem(
				`${file} is missing, but there are credentials sealed with it: restore the key file, or set MASTER_KEY_FILE to where it is`,
			);
		}
		writeKey(file);
	}
	const keys: MasterKeys = { load: () => loadKeys(file) };
	await keys.load();
	return keys;
}

/** The next key's file, made when there is none. */
export async function prepareNextKey(file: string): Promise<VaultKey> {
	if (!isThere(nextPath(file))) writeKey(nextPath(file));
	return readKey(nextPath(file));
}

export const hasNextKey = (file: string): boolean => isThere(nextPath(file));

/** From here on the next key is the one in use. */
export function useNextKey(file: string): void {
	try {
		renameSync(nextPath(file), file);
		syncFolder(dirname(file));
	} catch (error) {
		throw cannotWrite(file, error);
	}
}

async function loadKeys(file: string): Promise<readonly VaultKey[]> {
	const paths = [file, nextPath(file)].filter((path) => isThere(path));
	if (paths.length === 0) throw new StartProblem(`${file} is missing: restore the key file`);
	try {
		return await Promise.all(paths.map(readKey));
	} catch (error) {
		// The next key took over between looking and reading.
		if (paths.length === 2 && isThere(file) && !hasNextKey(file)) return [await readKey(file)];
		throw error;
	}
}

async function readKey(path: string): Promise<VaultKey> {
	const key = await masterKeyOf(readPrivate(path));
	if (key === null) {
		throw new StartProblem(`${path} is not a master key, which is 32 bytes in base64: restore the key file`);
	}
	return key;
}

function readPrivate(path: string): string {
	let file: number | undefined;
	try {
		// Not through a link: what it points to could be anyone's. Not waiting: it could be a pipe.
		file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const problem = problemOf(fstatSync(file));
		if (problem !== null) throw new StartProblem(`${path} ${problem}`);
		const bytes = Buffer.alloc(MOST_BYTES);
		return bytes.toString("latin1", 0, readSync(file, bytes));
	} catch (error) {
		if (error instanceof StartProblem) throw error;
		const { code } = error as NodeJS.ErrnoException;
		throw code === "ELOOP"
			? new StartProblem(`${path} is a symbolic link: set MASTER_KEY_FILE to the file it points to`)
			: cannotRead(path, code);
	} finally {
		if (file !== undefined) closeSync(file);
	}
}

function problemOf(stats: Stats): string | null {
	if (stats.isDirectory()) return "is a folder: set MASTER_KEY_FILE to a file";
	if (!stats.isFile()) return "is not a file: set MASTER_KEY_FILE to a file";
	// There are no such permissions on Windows.
	if (process.getuid === undefined) return null;
	if ((stats.mode & 0o077) !== 0) {
		const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
		return `can be read by others (mode ${mode}): run chmod 600 on it`;
	}
	if (stats.uid !== process.getuid() && stats.uid !== 0) {
		return "belongs to another user: change its owner to the user of the service";
	}
	return null;
}

/** Under its name only once it is whole and on disk, and never over another. */
function writeKey(path: string): void {
	const folder = dirname(path);
	const draft = `${path}.${randomBytes(6).toString("hex")}.draft`;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const file = openSync(draft, "wx", 0o600);
		try {
			writeSync(file, `${newMasterKeyText()}\n`);
			fsyncSync(file);
			linkUnlessThere(draft, path);
		} finally {
			closeSync(file);
			unlinkSync(draft);
		}
		syncFolder(folder);
		// The folder may be new as well.
		syncFolder(dirname(folder));
	} catch (error) {
		throw cannotWrite(path, error);
	}
}

function linkUnlessThere(draft: string, path: string): void {
	try {
		linkSync(draft, path);
	} catch (error) {
		// Another process was faster: its key counts.
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
}

/** A link that leads nowhere is there too. */
function isThere(path: string): boolean {
	try {
		lstatSync(path);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return false;
		throw cannotRead(path, code);
	}
}

function syncFolder(folder: string): void {
	const handle = openSync(folder, "r");
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

const cannotRead = (path: string, code: string | undefined): StartProblem =>
	new StartProblem(
		`${path} cannot be read (${code}): correct its permissions, or set MASTER_KEY_FILE to another file`,
	);

const cannotWrite = (path: string, error: unknown): StartProblem =>
	new StartProblem(
		`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown error"}): choose a folder this user can write with MASTER_KEY_FILE`,
	);
