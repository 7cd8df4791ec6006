import type { NodeCall } from "@tripline/engine/component";

/** What is needed of a call to compute in turns. */
export type Turns = Pick<NodeCall<never>, "meter" | "needsTurn" | "turn">;

const PIECE_CHARACTERS = 32_768;
/** With the checksum that a zip file needs. */
const UNITS_PER_BYTE = 1 / 8;

/** Encodes text as UTF-8. The parts are made one at a time and must spend from the meter; half a character is replaced. */
export async function* encodeInTurns(parts: Iterable<string>, call: Turns): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	let text = "";
	for (const part of parts) {
		text += part;
		if (text.length >= PIECE_CHARACTERS) {
			yield encode(text);
			text = "";
		}
		if (call.needsTurn) await call.turn();
	}
	if (text !== "") yield encode(text);

	function encode(piece: string): Uint8Array {
		const bytes = encoder.encode(piece);
		call.meter.spend(bytes.length * UNITS_PER_BYTE);
		return bytes;
	}
}

/** Cuts a long text so that no character is split. */
export function* cutText(text: string): Generator<string> {
	let start = 0;
	while (start < text.length) {
		let end = start + PIECE_CHARACTERS;
		if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end++;
		yield text.slice(start, end);
		start = end;
	}
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
