import { toBase64 } from "@tripline/contract/bytes";
import { TerminalError } from "@tripline/engine/terminal-error";

/** So that a line with the name of its header stays within 76 characters. */
const MAX_WORD_BYTES = 39;
const MAX_PLAIN_LENGTH = 60;
const LINE_END = "\r\n ";

/**
 * A line break would end the header, and what follows it would be a header of its own. A change of writing direction could
 * make a name look like another.
 */
export function assertOneLine(text: string, where: string): void {
	if (/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(text))
		throw new TerminalError(`${where} must be one line without control characters`);
	if (!text.isWellFormed()) throw new TerminalError(`${where} contains a lone surrogate (half a character)`);
}

/** Whether a header may hold the text as it is. `=?` starts an encoded word. */
export const isPlain = (text: string): boolean =>
	/^[\x20-\x7e]*$/.test(text) && text.length <= MAX_PLAIN_LENGTH && !text.includes("=?");

/** Encoded words (RFC 2047) of UTF-8, each with whole characters, on lines of their own. */
export function encodeWords(text: string): string {
	const words: string[] = [];
	let start = 0;
	let size = 0;
	let at = 0;
	for (const character of text) {
		const bytes = countBytes(character);
		if (size + bytes > MAX_WORD_BYTES) {
			words.push(text.slice(start, at));
			start = at;
			size = 0;
		}
		size += bytes;
		at += character.length;
	}
	words.push(text.slice(start));
	const encoder = new TextEncoder();
	return words.map((word) => `=?UTF-8?B?${toBase64(encoder.encode(word))}?=`).join(LINE_END);
}

/** Of the character in UTF-8. */
function countBytes(character: string): number {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x80) return 1;
	if (code < 0x800) return 2;
	return code < 0x10000 ? 3 : 4;
}

export const encodeText = (text: string): string => (isPlain(text) ? text : encodeWords(text));

export const foldLines = (items: readonly string[], separator: string): string =>
	items.join(`${separator}${LINE_END}`);
