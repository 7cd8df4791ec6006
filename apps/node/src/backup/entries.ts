import { byteReader } from "./byte-reader.ts";
import { BackupProblem } from "./problem.ts";

/** What is in an archive, one after the other: a length, a head in JSON, and the content. */
export interface Entry {
	/** `store.db`, `files/namespace/id` or `manifest.json`. */
	readonly path: string;
	readonly size: number;
	/** To be read to its end before the next entry. */
	readonly content: AsyncIterable<Uint8Array>;
}

const LENGTH_BYTES = 4;
const MAX_HEAD_BYTES = 1024;
const PATH = /^(?:(?:store|kv|executor)\.db|manifest\.json|files\/[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,64})$/;

export async function* writeEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
	for await (const { path, size, content } of entries) {
		const head = Buffer.from(JSON.stringify({ path, size }));
		const length = Buffer.alloc(LENGTH_BYTES);
		length.writeUInt32BE(head.length);
		yield length;
		yield head;
		let written = 0;
		for await (const piece of content) {
			written += piece.length;
			yield piece;
		}
		if (written !== size) throw new BackupProblem(`${path} has ${written} bytes instead of ${size}`);
	}
}

/** Paths are checked, so that an archive writes nothing but what a backup contains. */
export async function* readEntries(content: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
	const reader = byteReader(content);
	for (;;) {
		const length = await reader.read(LENGTH_BYTES);
		if (length === null) return;
		const { path, size } = readHead(await reader.read(Math.min(length.readUInt32BE(), MAX_HEAD_BYTES)));
		let missing = size;
		yield { path, size, content: countDown() };
		if (missing !== 0) throw new BackupProblem(`the backup is damaged: ${path} is not complete`);

		async function* countDown(): AsyncGenerator<Uint8Array> {
			for await (const piece of reader.stream(size)) {
				missing -= piece.length;
				yield piece;
			}
		}
	}
}

function readHead(head: Buffer | null): { path: string; size: number } {
	try {
		const { path, size } = JSON.parse(head?.toString() ?? "") as { path: unknown; size: unknown };
		if (typeof path === "string" && PATH.test(path) && Number.isSafeInteger(size) && Number(size) >= 0)
			return { path, size: Number(size) };
	} catch {
		// Not JSON.
	}
	throw new BackupProblem("the backup is damaged: it contains something unknown");
}
