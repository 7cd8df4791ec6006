/** Keeps bytes under keys: a folder or an S3 bucket on Node, R2 on Workers. Nothing here is a database; the store knows which keys exist. */
export interface Blobs {
	/**
	 * Writes a blob in full or not at all, and resolves when it would survive a crash. A key is written once. Rejects with
	 * `BlobTooLarge` as soon as there are more than `maxBytes`, and with the content's own error; then nothing remains.
	 */
	put(
		key: string,
		content: AsyncIterable<Uint8Array>,
		options: { readonly maxBytes: number },
	): Promise<{ readonly size: number }>;
	/** Null if there is no such blob. Cancelling the stream frees what it holds. */
	get(key: string, range?: ByteRange): Promise<{ readonly content: ReadableStream<Uint8Array> } | null>;
	/** Deletes the blob and what an interrupted `put` left of it; no error if there is neither. */
	delete(key: string): Promise<void>;
	/** True while nothing may be deleted, because a backup is being made. Left out where there are none. */
	isHeld?(): boolean;
}

/** From `start` up to but not including `end`; default from the first to the last. */
export interface ByteRange {
	readonly start?: number;
	readonly end?: number;
}

export class BlobTooLarge extends Error {
	override readonly name = "BlobTooLarge";
}

/** A namespace and a file's id: two segments of letters, digits, _ and -, safe as a path and in any letter case. */
const KEY = /^[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,64}$/;

export function assertBlobKey(key: string): void {
	if (!KEY.test(key)) throw new RangeError("a blob's key must be two segments of letters, digits, _ and -");
}
