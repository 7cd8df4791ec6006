import type { Transform, TransformCallback } from "node:stream";
import type { ImapFlow } from "imapflow";

/** The client parses what it is given in one go: so many bytes of short lines take some milliseconds. */
const PIECE_BYTES = 4_096;

/**
 * Limits and slows down what a client parses. It parses line after line without a pause, so that a server could hold up
 * everything else in the process, and it keeps all answers to a command.
 */
export function limitInput(client: ImapFlow, first: number) {
	const { streamer } = client as unknown as { readonly streamer: Transform };
	const parse = streamer._transform.bind(streamer);
	let left = first;
	let isPaced = false;
	streamer._transform = (chunk: Buffer, encoding, next) => {
		left -= chunk.length;
		if (left < 0) {
			client.close();
			next();
		} else if (isPaced) void parsePieces(chunk, encoding, next);
		else parse(chunk, encoding, next);
	};

	return {
		/** What the server may send until this is called again. */
		allow(bytes: number): void {
			left = bytes;
		},
		isExceeded: () => left < 0,
		/** Not before TLS: the client looks for what was sent too early, which must not be held back. */
		pace(): void {
			isPaced = true;
		},
	};

	async function parsePieces(
		chunk: Buffer,
		encoding: BufferEncoding,
		next: TransformCallback,
	): Promise<void> {
		for (let start = 0; start < chunk.length && !streamer.destroyed; start += PIECE_BYTES) {
			const piece = chunk.subarray(start, start + PIECE_BYTES);
			await new Promise<void>((resolve) => parse(piece, encoding, () => resolve()));
			await new Promise((resolve) => setImmediate(resolve));
		}
		next();
	}
}
