import { constants } from "node:fs";
import { mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { FolderProblem } from "./folders.ts";

/** Which paths may be used. */
export interface Bounds {
	/** As they were configured, and their real paths, which differ where a folder is a link. */
	readonly allowed: readonly { readonly given: string; readonly real: string }[];
	/** Real paths that must never be reached, such as the service's own data. */
	readonly refused: readonly string[];
}

/** A folder that is open while it is used. */
export interface OpenFolder {
	/** The path of an entry, for calls of the file system. */
	entry(name: string): string;
	/** A rename survives a power loss only once its folder is synced. */
	sync(): Promise<void>;
}

const MAX_PATH_CHARACTERS = 4096;
/** Windows lacks these flags, and cannot open folders. */
const { O_NOFOLLOW = 0, O_DIRECTORY = 0, O_RDONLY } = constants;
const isWindows = process.platform === "win32";

/** Opens the folders that workflows name, if they are allowed in truth: without links. */
export function folderPaths({ allowed, refused }: Bounds) {
	return {
		/** The real path of something that exists. */
		locate: async (path: string): Promise<string> => assertAllowed(await realpath(parse(path))),

		/** Uses the folder of a file without looking at the file. With `create` the folder is created if necessary. */
		async withParent<T>(
			path: string,
			{ create }: { readonly create: boolean },
			use: (folder: OpenFolder, name: string) => Promise<T>,
		): Promise<T> {
			const plain = parse(path);
			if (allowed.some(({ given, real }) => given === plain || real === plain))
				throw new FolderProblem("the path is a folder");
			const parent = dirname(plain);
			const real = create ? await ensureFolder(parent) : assertAllowed(await realpath(parent));
			return withFolder(real, (folder) => use(folder, basename(plain)));
		},

		withFolder,
	};

	/** The check before anything is looked up, so that nobody learns what exists elsewhere. */
	function parse(path: string): string {
		if (path.includes("\0")) throw new FolderProblem("the path must not contain NUL");
		if (path.length > MAX_PATH_CHARACTERS) throw new FolderProblem("the path is too long");
		if (!isAbsolute(path)) throw new FolderProblem("the path must be absolute");
		if (path.split(/[/\\]/).includes("..")) throw new FolderProblem("the path must not contain ..");
		// Streams and devices of Windows, such as a.txt:stream and COM1.
		if (isWindows && WINDOWS_NAME.test(path.slice(2))) throw outsideProblem();
		const plain = normalize(path).replace(/(?<=.)[/\\]$/, "");
		if (!allowed.some(({ given, real }) => isWithin(given, plain) || isWithin(real, plain)))
			throw outsideProblem();
		return plain;
	}

	function assertAllowed(real: string): string {
		if (!allowed.some((folder) => isWithin(folder.real, real))) throw linkProblem();
		if (refused.some((folder) => isWithin(folder, real))) throw linkProblem();
		return real;
	}

	/** One level at a time, because a level that exists may be a link. */
	async function ensureFolder(plain: string): Promise<string> {
		try {
			return assertAllowed(await realpath(plain));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
		}
		if (dirname(plain) === plain) throw outsideProblem();
		const parent = await ensureFolder(dirname(plain));
		await withFolder(parent, async ({ entry }) => {
			await mkdir(entry(basename(plain)), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== "EEXIST") throw error;
			});
		});
		return assertAllowed(await realpath(join(parent, basename(plain))));
	}

	/**
	 * On Linux entries are reached through the open folder itself, so that nobody can put a link in its place between the
	 * check and the use. Elsewhere they are reached by the path that was checked.
	 */
	async function withFolder<T>(real: string, use: (folder: OpenFolder) => Promise<T>): Promise<T> {
		if (isWindows) return use({ entry: (name) => join(real, name), sync: async () => {} });
		const handle = await open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		try {
			const pinned = `/proc/self/fd/${handle.fd}`;
			const isPinned = process.platform === "linux" && (await isOpenHere(pinned));
			const base = isPinned ? pinned : real;
			return await use({ entry: (name) => join(base, name), sync: () => handle.sync() });
		} finally {
			await handle.close();
		}
	}

	async function isOpenHere(pinned: string): Promise<boolean> {
		try {
			assertAllowed(await readlink(pinned));
			return true;
		} catch (error) {
			// There is no /proc.
			if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
			throw error;
		}
	}
}

const WINDOWS_NAME = /[:*?"<>|]|(?:^|[/\\])(?:con|prn|aux|nul|com\d|lpt\d)(?:[./\\]|$)/i;

export const isWithin = (folder: string, path: string): boolean =>
	path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const outsideProblem = () => new FolderProblem("the path is not in a folder of ALLOW_FOLDERS");

const linkProblem = () =>
	new FolderProblem("the path leads out of the folders of ALLOW_FOLDERS through a link");
