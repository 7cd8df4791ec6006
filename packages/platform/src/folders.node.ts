import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, opendir, rename, rm, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { readPieces, writePieces } from "./file-bytes.node.ts";
import { type Bounds, folderPaths, type OpenFolder } from "./folder-paths.node.ts";
import { toFolderProblem } from "./folder-problems.node.ts";
import { type FolderEntry, FolderProblem, type Folders } from "./folders.ts";

/** Windows lacks these flags. Without blocking, opening a pipe does not wait for its other end. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants;

const MAX_SCANNED = 100_000;

export function nodeFolders(bounds: Bounds): Folders {
	const { locate, withFolder, withParent } = folderPaths(bounds);
	const KEEP = { create: false };
	const CREATE = { create: true };
	return {
		list: (path, { limit, after = "" }) =>
			explain(async () => {
				const real = await locate(path);
				if (!(await lstat(real)).isDirectory()) throw new FolderProblem("the path is not a folder");
				return withFolder(real, async (folder) => {
					const names = await listNames(folder, after, limit + 1);
					const entries = await Promise.all(names.slice(0, limit).map((name) => readEntry(folder, name)));
					return { entries: entries.filter((entry) => entry !== null), hasMore: names.length > limit };
				});
			}),
		locate: (path) =>
			explain(async () => {
				const real = await locate(path);
				assertFile(await lstat(real));
				return real;
			}),
		read: (path) =>
			explain(async () => {
				const real = await locate(path);
				assertFile(await lstat(real));
				return { name: basename(real), content: readFile(path) };
			}),
		write: (path, content, { overwrite }) =>
			explain(() =>
				withParent(path, CREATE, async (folder, name) => {
					const target = folder.entry(name);
					const existing = await checkTarget(target, overwrite);
					const draft = folder.entry(`.tripline-${randomBytes(9).toString("hex")}.part`);
					const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
					try {
						const size = await writeAndClose(handle, content, existing);
						await place(draft, target, overwrite);
						await folder.sync();
						return { size };
					} catch (error) {
						await rm(draft, { force: true });
						throw error;
					}
				}),
			),
		delete: (path) =>
			explain(() =>
				withParent(path, KEEP, async (folder, name) => {
					const stats = await findStats(folder.entry(name));
					if (stats === null) return false;
					assertFile(stats);
					await unlink(folder.entry(name));
					await folder.sync();
					return true;
				}),
			),
		move: (path, to, { overwrite }) =>
			explain(() =>
				withParent(path, KEEP, async (from, name) => {
					assertFile(await lstat(from.entry(name)));
					await withParent(to, CREATE, async (folder, newName) => {
						await checkTarget(folder.entry(newName), overwrite);
						await place(from.entry(name), folder.entry(newName), overwrite);
						await folder.sync();
					});
					await from.sync();
				}),
			),
	};

	async function* readFile(path: string): AsyncGenerator<Uint8Array> {
		const handle = await explain(async () => {
			const real = await locate(path);
			return withFolder(dirname(real), (folder) => openFile(folder.entry(basename(real))));
		});
		try {
			yield* readPieces(handle, (await handle.stat()).size);
		} finally {
			await handle.close();
		}
	}
}

async function openFile(path: string): Promise<FileHandle> {
	// A device must not even be opened, and what is opened may be another file by then.
	assertFile(await lstat(path));
	const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	try {
		assertFile(await handle.stat());
		return handle;
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/** An existing file's permissions are kept. */
async function writeAndClose(
	handle: FileHandle,
	content: AsyncIterable<Uint8Array>,
	existing: Stats | null,
): Promise<number> {
	try {
		if (existing?.isFile()) await handle.chmod(existing.mode & 0o777);
		const size = await writePieces(handle, markFailure(content), Number.POSITIVE_INFINITY);
		await handle.sync();
		return size;
	} finally {
		await handle.close();
	}
}

/** Refuses what must not be replaced, before any content is read. */
async function checkTarget(target: string, overwrite: boolean): Promise<Stats | null> {
	const existing = await findStats(target);
	if (existing === null) return null;
	// A link is replaced, not followed.
	if (!existing.isSymbolicLink()) assertFile(existing);
	if (!overwrite) throw existsProblem();
	return existing;
}

const existsProblem = () => new FolderProblem("a file exists at this path: set overwrite to replace it");

/** Gives a file its name in one step. A hard link fails if the name is taken, a rename would replace it. */
async function place(file: string, target: string, overwrite: boolean): Promise<void> {
	if (overwrite || !(await linkIfSupported(file, target))) await rename(file, target);
	else await unlink(file);
}

async function linkIfSupported(file: string, target: string): Promise<boolean> {
	try {
		await link(file, target);
		return true;
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		if (code === "EEXIST") throw existsProblem();
		if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) throw error;
	}
	if ((await findStats(target)) !== null) throw existsProblem();
	return false;
}

function assertFile(stats: Stats): void {
	if (stats.isFile()) return;
	throw new FolderProblem(stats.isDirectory() ? "the path is a folder" : "the path is not a regular file");
}

async function findStats(path: string): Promise<Stats | null> {
	try {
		return await lstat(path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
}

/** The first names after `after`, in order. Keeps few of them, however large the folder is. */
async function listNames(folder: OpenFolder, after: string, limit: number): Promise<string[]> {
	let names: string[] = [];
	let scanned = 0;
	for await (const { name } of await opendir(folder.entry("."), { bufferSize: 512 })) {
		if (++scanned > MAX_SCANNED) throw new FolderProblem(`the folder has more than ${MAX_SCANNED} entries`);
		if (name <= after) continue;
		names.push(name);
		if (names.length >= limit * 4) names = names.sort().slice(0, limit);
	}
	return names.sort().slice(0, limit);
}

/** Null if it was deleted meanwhile. */
async function readEntry(folder: OpenFolder, name: string): Promise<FolderEntry | null> {
	const stats = await findStats(folder.entry(name));
	if (stats === null) return null;
	const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
	return { name, kind, size: kind === "file" ? stats.size : 0, modifiedAt: stats.mtimeMs };
}

/** The content may come from another place, whose errors say nothing about this path. */
class ContentFailure extends Error {}

async function* markFailure(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	try {
		yield* content;
	} catch (error) {
		throw new ContentFailure("", { cause: error });
	}
}

async function explain<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof ContentFailure ? error.cause : toFolderProblem(error);
	}
}
