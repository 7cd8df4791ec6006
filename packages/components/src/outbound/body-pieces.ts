import { fromBase64 } from "@tripline/contract/bytes";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { StreamedBody } from "@tripline/platform/http";
import type { OpenFile } from "../open-file.ts";

/** Encodes a value for the place where it is inserted. */
export type Encode = (value: string) => string;

/** A part of a body: bytes, text with placeholders and the encoding of their values, or a file that is read when it is sent. */
export type Piece = Uint8Array | TextPiece | { readonly file: OpenFile };

interface TextPiece {
	readonly text: string;
	readonly encode: Encode;
}

export const isText = (piece: Piece): piece is TextPiece => "text" in piece;

export const plain: Encode = (value) => value;

export function decodeBase64Text(data: string, where: string): Uint8Array {
	const bytes = fromBase64(data.replace(/\s+/g, ""));
	if (bytes === null) throw new TerminalError(`${where} is not base64`);
	return bytes;
}

/** A single text, the most common body, stays a text: the port encodes it. */
export function joinPieces(pieces: readonly Piece[]): Uint8Array | string | StreamedBody {
	const [only] = pieces;
	if (only !== undefined && pieces.length === 1) {
		if (only instanceof Uint8Array) return only;
		return isText(only) ? only.text : streamParts([only.file]);
	}
	const encoder = new TextEncoder();
	const parts = pieces.map((piece) => {
		if (piece instanceof Uint8Array) return piece;
		return isText(piece) ? encoder.encode(piece.text) : piece.file;
	});
	return parts.every((part) => part instanceof Uint8Array) ? concatParts(parts) : streamParts(parts);
}

export function concatParts(parts: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

const streamParts = (parts: readonly (Uint8Array | OpenFile)[]): StreamedBody => ({
	size: parts.reduce((size, part) => size + (part instanceof Uint8Array ? part.length : part.value.size), 0),
	async *open() {
		for (const part of parts) {
			// A copy, because what is sent is given away.
			if (part instanceof Uint8Array) yield new Uint8Array(part);
			else yield* part.read();
		}
	},
});
