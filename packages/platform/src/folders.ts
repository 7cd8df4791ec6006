/**
 * The folders of this machine that its owner has opened to workflows. Paths are absolute; one that leads elsewhere, also
 * through a link, is refused. Every method rejects with a `FolderProblem` that the author of a workflow can act on.
 */
export interface Folders {
	/** Entries by name, from the first one after `after`. */
	list(
		path: string,
		query: { readonly limit: number; readonly after?: string | undefined },
	): Promise<Listing>;
	/** The real path of a file that exists, for what opens it itself. */
	locate(path: string): Promise<string>;
	/** The file is opened when its content is read. */
	read(path: string): Promise<FolderFile>;
	/** Writes a file in full or not at all, and creates the folders that it needs. */
	write(
		path: string,
		content: AsyncIterable<Uint8Array>,
		options: { readonly overwrite: boolean },
	): Promise<{ readonly size: number }>;
	/** False if there is no such file. */
	delete(path: string): Promise<boolean>;
	move(path: string, to: string, options: { readonly overwrite: boolean }): Promise<void>;
}

interface Listing {
	readonly entries: readonly FolderEntry[];
	readonly hasMore: boolean;
}

export interface FolderEntry {
	readonly name: string;
	readonly kind: "file" | "folder" | "other";
	readonly size: number;
	/** Unix milliseconds. */
	readonly modifiedAt: number;
}

interface FolderFile {
	readonly name: string;
	readonly content: AsyncIterable<Uint8Array>;
}

/** A retry would fail in the same way. */
export class FolderProblem extends Error {
	override readonly name = "FolderProblem";
}
