import { assertBlobKey, type Blobs, BlobTooLarge } from "./blobs.ts";
import { PlatformUnavailable } from "./unavailable.ts";

/** The part of an R2 binding that is used; `s3Bucket` offers the same for other buckets. */
export interface Bucket {
	put(key: string, value: Uint8Array<ArrayBuffer>): Promise<unknown>;
	/** Rejects if no byte is in the range. */
	get(key: string, options: { range?: { offset: number; length?: number } }): Promise<StoredObject | null>;
	head(key: string): Promise<{ readonly size: number } | null>;
	delete(key: string): Promise<void>;
	createMultipartUpload(key: string): Promise<MultipartUpload>;
}

interface StoredObject {
	readonly body: ReadableStream<Uint8Array>;
}

export interface MultipartUpload {
	uploadPart(partNumber: number, value: Uint8Array<ArrayBuffer>): Promise<UploadedPart>;
	complete(parts: UploadedPart[]): Promise<unknown>;
	abort(): Promise<void>;
}

export interface UploadedPart {
	readonly partNumber: number;
	readonly etag: string;
}

/** Buckets want parts of one size, at least 5 MiB, except for the last. An isolate has 128 MB for all its requests. */
const PART_BYTES = 5_242_880;
const FIRST_BUFFER_BYTES = 65_536;

/**
 * A bucket needs to know a length in advance, so one part is held in memory; larger blobs are uploaded in parts. If the
 * process ends during such an upload, R2 deletes the parts by itself after a week, and deleting the key does so in S3.
 */
export function bucketBlobs(bucket: Bucket, partBytes = PART_BYTES): Blobs {
	return {
		async put(key, content, { maxBytes }) {
			assertBlobKey(key);
			const upload = partedUpload(bucket, key, partBytes);
			try {
				let size = 0;
				for await (const piece of content) {
					size += piece.length;
					if (size > maxBytes) throw new BlobTooLarge(`must be at most ${maxBytes} bytes`);
					await upload.write(piece);
				}
				await upload.end();
				return { size };
			} catch (error) {
				await upload.abort();
				throw error;
			}
		},
		async get(key, { start = 0, end } = {}) {
			assertBlobKey(key);
			if (end !== undefined && end <= start)
				return (await bucket.head(key)) === null ? null : { content: emptyStream() };
			const isWhole = start === 0 && end === undefined;
			const range = { offset: start, ...(end !== undefined && { length: end - start }) };
			try {
				const found = await bucket.get(key, isWhole ? {} : { range });
				return found === null ? null : { content: found.body };
			} catch (error) {
				if (isWhole || error instanceof PlatformUnavailable) throw error;
				// Buckets reject a range that starts at the end or after it.
				const known = await bucket.head(key);
				if (known !== null && start < known.size) throw error;
				return known === null ? null : { content: emptyStream() };
			}
		},
		async delete(key) {
			assertBlobKey(key);
			await bucket.delete(key);
		},
	};
}

function partedUpload(bucket: Bucket, key: string, partBytes: number) {
	let buffer = new Uint8Array(FIRST_BUFFER_BYTES);
	let filled = 0;
	let upload: MultipartUpload | null = null;
	const parts: UploadedPart[] = [];

	return {
		async write(piece: Uint8Array): Promise<void> {
			for (let at = 0; at < piece.length; ) {
				// Not before more arrives: what fits into one part is stored by one call.
				if (filled === partBytes) await sendPart();
				const length = Math.min(piece.length - at, partBytes - filled);
				makeRoom(filled + length);
				buffer.set(piece.subarray(at, at + length), filled);
				at += length;
				filled += length;
			}
		},
		async end(): Promise<void> {
			if (upload === null) {
				await bucket.put(key, buffer.subarray(0, filled));
				return;
			}
			await sendPart();
			await upload.complete(parts);
		},
		/** Never throws: what cannot be deleted now is deleted later. */
		async abort(): Promise<void> {
			await upload?.abort().catch(() => {});
		},
	};

	async function sendPart(): Promise<void> {
		upload ??= await bucket.createMultipartUpload(key);
		parts.push(await upload.uploadPart(parts.length + 1, buffer.subarray(0, filled)));
		filled = 0;
	}

	function makeRoom(bytes: number): void {
		if (bytes <= buffer.length) return;
		const larger = new Uint8Array(Math.min(partBytes, Math.max(bytes, buffer.length * 2)));
		larger.set(buffer.subarray(0, filled));
		buffer = larger;
	}
}

const emptyStream = (): ReadableStream<Uint8Array> =>
	new ReadableStream({ type: "bytes", start: (controller) => controller.close() });
