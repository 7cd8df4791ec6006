import { FILE_ID_BYTES, type FileValue } from "@tripline/contract/files";
import { randomToken } from "@tripline/contract/ids";
import type { StoredFiles } from "../src/files/stored-files.ts";

/** What an upload needs, in memory. */
export interface MemoryStoredFiles extends Pick<StoredFiles, "write" | "delete"> {
	/** The files that are there. */
	readonly all: Map<string, FileValue & { readonly text: string; readonly executionId: string | null }>;
}

export function memoryStoredFiles(): MemoryStoredFiles {
	const all: MemoryStoredFiles["all"] = new Map();
	return {
		all,
		async write(_owner, { name, type, executionId }, content) {
			const pieces: Uint8Array[] = [];
			for await (const piece of content) pieces.push(piece.slice());
			const bytes = Buffer.concat(pieces);
			const value = { $file: randomToken(FILE_ID_BYTES), name, type, size: bytes.length };
			all.set(value.$file, { ...value, text: bytes.toString("latin1"), executionId });
			return value;
		},
		delete: async (_owner, ids) => ids.filter((id) => all.delete(id)).length,
	};
}
