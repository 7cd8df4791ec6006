import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assertBlobKey, type Blobs } from "./blobs.ts";
import { readRange, syncFolder, writePieces } from "./file-bytes.node.ts";
import { PlatformUnavailable } from "./unavailable.ts";

/** Windows lacks the flag. */
const { O_NOFOLLOW = 0, O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants;

/** Keeps each blob in a file below a folder that nothing else writes to. */
export function folderBlobs(folder: string): Blobs {
	return {
		async put(key, content, { maxBytes }) {
			const path = toPath(folder, key);
			const part = toPartPath(path);
			const handle = await createFile(part);
			let written = part;
			try {
				const size = await writeAndClose(handle, content, maxBytes);
				await rename(part, path);
				written = path;
				await syncFolder(dirname(path));
				return { size };
			} catch (error) {
				await rm(written, { force: true });
				throw explainDiskLimit(error);
			}
		},
		async get(key, range) {
			const handle = await openIfPresent(toPath(folder, key));
			if (handle === null) return null;
			try {
				const { size } = await handle.stat();
				return { content: await readRange(handle, size, range) };
			} catch (error) {
				await handle.close();
				throw error;
			}
		},
		async delete(key) {
			const path = toPath(folder, key);
			await rm(toPartPath(path), { force: true });
			await rm(path, { force: true });
		},
	};
}

/**
 * Ids differ in letter case and a file system may not, so `=` marks capitals. It also ends each segment, because Windows
 * reserves names such as `con`.
 */
function toPath(folder: string, key: string): string {
	assertBlobKey(key);
	const segments = key.split("/").map((segment) => `${segment.replace(/[A-Z]/g, markCapital)}=`);
	return join(folder, ...segments);
}

const markCapital = (letter: string): string => `=${letter.toLowerCase()}`;

const toPartPath = (path: string): string => `${path}.part`;

async function createFile(path: string): Promise<FileHandle> {
	const create = () => open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
	try {
		return await create();
	} catch (error) {
		if (!isMissing(error)) throw explainDiskLimit(error);
	}
	try {
		const folder = dirname(path);
		if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) {
			await syncFolder(dirname(folder));
			await syncFolder(dirname(dirname(folder)));
		}
		return await create();
	} catch (error) {
		throw explainDiskLimit(error);
	}
}

async function writeAndClose(
	handle: FileHandle,
	content: AsyncIterable<Uint8Array>,
	maxBytes: number,
): Promise<number> {
	try {
		const size = await writePieces(handle, content, maxBytes);
		await handle.sync();
		return size;
	} finally {
		await handle.close();
	}
}

async function openIfPresent(path: string): Promise<FileHandle | null> {
	try {
		return await open(path, O_RDONLY | O_NOFOLLOW);
	} catch (error) {
		if (isMissing(error)) return null;
		throw error;
	}
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

function explainDiskLimit(error: unknown): unknown {
	switch ((error as NodeJS.ErrnoException).code) {
		case "ENOSPC":
		case "EDQUOT":
			return new PlatformUnavailable("the disk that keeps files is full: free some space", { cause: error });
		case "EFBIG":
			return new PlatformUnavailable(
				"the disk that keeps files takes no file of this size: lower MAX_FILE_BYTES",
				{ cause: error },
			);
		default:
			return error;
	}
}
