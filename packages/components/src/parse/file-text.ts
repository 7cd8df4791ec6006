import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../effects.ts";

/** What readers need of a call. */
export type ReadCall = Pick<NodeCall<never>, "meter" | "signal" | "needsTurn" | "turn">;

/** Decoded at a time, so that what is done with a piece is short. */
const PIECE_BYTES = 32_768;
const MARKS: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
	{ bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
	{ bytes: [0xff, 0xfe], encoding: "utf-16le" },
	{ bytes: [0xfe, 0xff], encoding: "utf-16be" },
];
const MAX_MARK_BYTES = 3;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * The text of a file in pieces, without its byte order mark. The encoding is that of the mark, else the given one, else
 * the charset of the file's type, else UTF-8.
 */
export async function* readTextPieces(
	file: OpenFile,
	encoding: string | undefined,
	call: ReadCall,
): AsyncGenerator<string, void> {
	const given = encoding ?? CHARSET.exec(file.value.type)?.[1];
	if (given !== undefined) createDecoder(given);
	yield* decodePieces(file.read(), given ?? "utf-8", createFileError, call);
}

/** Decodes bytes by their byte order mark, else by `encoding`. */
export async function* decodePieces(
	bytes: AsyncIterable<Uint8Array>,
	encoding: string,
	createError: (encoding: string) => Error,
	call: ReadCall,
): AsyncGenerator<string, void> {
	let decoder: TextDecoder | null = null;
	let begun: Uint8Array = new Uint8Array();
	const decode = (piece: Uint8Array, stream: boolean): string => {
		decoder ??= createDecoder(findMark(piece) ?? encoding);
		try {
			return decoder.decode(piece, { stream });
		} catch {
			throw createError(decoder.encoding);
		}
	};
	for await (const chunk of bytes) {
		const joined = decoder === null && begun.length > 0 ? join(begun, chunk) : chunk;
		if (decoder === null && joined.length < MAX_MARK_BYTES) {
			begun = joined;
			continue;
		}
		for (let at = 0; at < joined.length; at += PIECE_BYTES) {
			const piece = joined.subarray(at, at + PIECE_BYTES);
			call.meter.spendOnText(4 * piece.length);
			yield decode(piece, true);
			if (call.needsTurn) await call.turn();
		}
	}
	yield decode(decoder === null ? begun : new Uint8Array(), false);
}

/** The whole text of a file, which must be small. */
export async function readWholeText(
	file: OpenFile,
	encoding: string | undefined,
	call: ReadCall,
): Promise<string> {
	const pieces: string[] = [];
	for await (const piece of readTextPieces(file, encoding, call)) pieces.push(piece);
	return pieces.join("");
}

const createFileError = (encoding: string): Error =>
	new TerminalError(`the file is not text in ${encoding}; set encoding, such as windows-1252`);

function createDecoder(encoding: string): TextDecoder {
	try {
		return new TextDecoder(encoding, { fatal: true });
	} catch {
		throw new TerminalError(`the encoding ${encoding} is not known; use one such as utf-8 or windows-1252`);
	}
}

const findMark = (piece: Uint8Array): string | undefined =>
	MARKS.find(({ bytes }) => bytes.every((byte, at) => piece[at] === byte))?.encoding;

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
	const joined = new Uint8Array(first.length + second.length);
	joined.set(first);
	joined.set(second, first.length);
	return joined;
}
