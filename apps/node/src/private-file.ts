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
	type Stats,
	unlinkSync,
	writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { StartProblem } from "./settings.ts";

/** More than any secret needs; a larger file is something else. */
const MAX_BYTES = 1024;

/** A file with a secret, and the setting that replaces it. */
export interface PrivateFile {
	readonly path: string;
	/** As in "set MASTER_KEY_FILE to another file". */
	readonly alternative: string;
}

/** Reads the file. Throws if other users could have read or written it. */
export function readPrivate({ path, alternative: instead }: PrivateFile): string {
	let file: number | undefined;
	try {
		// Do not follow a link, whose target could belong to anyone, and do not block on a pipe.
		file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const problem = findProblem(fstatSync(file), instead);
		if (problem !== null) throw new StartProblem(`${path} ${problem}`);
		const bytes = Buffer.alloc(MAX_BYTES);
		return bytes.toString("latin1", 0, readSync(file, bytes));
	} catch (error) {
		if (error instanceof StartProblem) throw error;
		const { code } = error as NodeJS.ErrnoException;
		throw code === "ELOOP"
			? new StartProblem(`${path} is a symbolic link: ${instead}`)
			: toReadProblem({ path, alternative: instead }, code);
	} finally {
		if (file !== undefined) closeSync(file);
	}
}

/** Writes a draft, syncs it and links it under its name, so that the file is complete and never overwrites another. */
export function writePrivate({ path, alternative: instead }: PrivateFile, text: string): void {
	const folder = dirname(path);
	const draft = `${path}.${randomBytes(6).toString("hex")}.draft`;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const file = openSync(draft, "wx", 0o600);
		try {
			writeSync(file, `${text}\n`);
			fsyncSync(file);
			linkIfAbsent(draft, path);
		} finally {
			closeSync(file);
			unlinkSync(draft);
		}
		syncFolder(folder);
		// The folder may be new as well.
		syncFolder(dirname(folder));
	} catch (error) {
		throw toWriteProblem({ path, alternative: instead }, error);
	}
}

/** True also for a dangling link. */
export function exists({ path, alternative: instead }: PrivateFile): boolean {
	try {
		lstatSync(path);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return false;
		throw toReadProblem({ path, alternative: instead }, code);
	}
}

export function syncFolder(folder: string): void {
	const handle = openSync(folder, "r");
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

export const toWriteProblem = ({ path, alternative: instead }: PrivateFile, error: unknown): StartProblem =>
	new StartProblem(
		`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown error"}): choose a folder that this user can write, or ${instead}`,
	);

const toReadProblem = ({ path, alternative: instead }: PrivateFile, code: string | undefined): StartProblem =>
	new StartProblem(`${path} cannot be read (${code}): correct its permissions, or ${instead}`);

function findProblem(stats: Stats, instead: string): string | null {
	if (stats.isDirectory()) return `is a folder: ${instead}`;
	if (!stats.isFile()) return `is not a file: ${instead}`;
	// Windows has no such permissions.
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

function linkIfAbsent(draft: string, path: string): void {
	try {
		linkSync(draft, path);
	} catch (error) {
		// Another process was faster; its secret is used.
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
}
