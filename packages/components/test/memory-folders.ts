import { FolderProblem, type Folders } from "@tripline/platform/folders";

/** A folder for tests of one node. Which paths are allowed is tested with the real file system. */
export function memoryFolders(files: Map<string, string> = new Map()): Folders {
	const assertFree = (path: string, overwrite: boolean) => {
		if (files.has(path) && !overwrite)
			throw new FolderProblem("a file exists at this path: set overwrite to replace it");
	};
	const get = (path: string): string => {
		const text = files.get(path);
		if (text === undefined) throw new FolderProblem("there is nothing at this path");
		return text;
	};
	return {
		async locate(path) {
			get(path);
			return path;
		},
		async list(given, { limit, after = "" }) {
			const path = given.replace(/\/$/, "");
			const names = [...files.keys()]
				.filter((file) => file.startsWith(`${path}/`))
				.map((file) => file.slice(path.length + 1))
				.filter((name) => !name.includes("/") && name > after)
				.sort();
			const entries = names.slice(0, limit).map((name) => ({
				name,
				kind: "file" as const,
				size: get(`${path}/${name}`).length,
				modifiedAt: Date.UTC(2026, 2, 1),
			}));
			return { entries, hasMore: names.length > limit };
		},
		async read(path) {
			const text = get(path);
			return { name: path.split("/").at(-1) ?? "", content: encode(text) };
		},
		async write(path, content, { overwrite }) {
			assertFree(path, overwrite);
			const pieces: Uint8Array[] = [];
			for await (const piece of content) pieces.push(piece.slice());
			const bytes = Buffer.concat(pieces);
			files.set(path, bytes.toString());
			return { size: bytes.length };
		},
		delete: async (path) => files.delete(path),
		async move(path, to, { overwrite }) {
			assertFree(to, overwrite);
			files.set(to, get(path));
			files.delete(path);
		},
	};
}

async function* encode(text: string): AsyncGenerator<Uint8Array> {
	yield new TextEncoder().encode(text);
}
