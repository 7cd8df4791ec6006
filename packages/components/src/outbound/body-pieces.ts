import { fromBase64 } from "@tripline/contract/bytes";
import { TerminalError } from "@tripline/engine/terminal-error";

/** Encodes a value for the place where it is inserted. */
export type Encode = (value: string) => string;

/** A part of a body: bytes, or text with placeholders and the encoding of their values. */
export type Piece = Uint8Array | { readonly text: string; readonly encode: Encode };

export const plain: Encode = (value) => value;

export function decodeBase64Text(data: string, where: string): Uint8Array {
	const bytes = fromBase64(data.replace(/\s+/g, ""));
	if (bytes === null) throw new TerminalError(`${where} is not base64`);
	return bytes;
}

/** A single text, the most common body, stays a text: the port encodes it. */
export function joinPieces(pieces: readonly Piece[]): Uint8Array | string {
	const [only] = pieces;
	if (only !== undefined && pieces.length === 1) return only instanceof Uint8Array ? only : only.text;
	const encoder = new TextEncoder();
	const parts = pieces.map((piece) => (piece instanceof Uint8Array ? piece : encoder.encode(piece.text)));
	const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
