import { decodeReferences } from "./character-references.ts";
import { buildNeedles, findRange, listCharacters, type Needle } from "./needles.ts";
import { toLower } from "./spellings.ts";

const REDACTED = "[redacted]";

export interface Redactor {
	text(text: string): string;
	bytes(bytes: Uint8Array): Uint8Array;
	/** Where the values are in a text, sorted by start; ranges may overlap. */
	find(text: string): readonly Range[];
}

/**
 * Removes values from texts in any spelling: plain, escaped for JSON, URLs, forms or HTML, in base64 (also inside a
 * longer text, and encoded twice) and in hex, regardless of case. The running time is linear in the length of the text.
 */
export function redactor(values: readonly string[]): Redactor {
	const needles = values.flatMap(buildNeedles);
	const characters = listCharacters(needles);
	const text = (given: string) => redactRanges(listRanges(given), given);
	return {
		text,
		find: listRanges,
		bytes(bytes) {
			const given = decoder.decode(bytes);
			const ranges = listRanges(given);
			if (ranges.length === 0) return bytes;
			const isText = !given.includes("\uFFFD");
			return isText
				? new TextEncoder().encode(redactRanges(ranges, given))
				: toBytes(text(toBinaryText(bytes)));
		},
	};

	function listRanges(given: string): Range[] {
		const text = toLower(given);
		const ranges = findRanges(text, needles);
		const read = decodeReferences(text, characters);
		if (read !== null) {
			for (const [start, end] of findRanges(read.text, needles))
				ranges.push([read.mapStart(start), read.mapEnd(end)]);
		}
		return ranges.sort(([a], [b]) => a - b);
	}
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export type Range = readonly [start: number, end: number];

function findRanges(text: string, needles: readonly Needle[]): Range[] {
	const ranges: Range[] = [];
	for (const needle of needles) {
		let from = 0;
		for (;;) {
			const at = text.indexOf(needle.anchor, from);
			if (at === -1) break;
			const range = findRange(text, at, needle);
			if (range !== null) ranges.push(range);
			from = Math.max(at + 1, range?.[1] ?? 0);
		}
	}
	return ranges;
}

export function redactRanges(ranges: readonly Range[], text: string, by = REDACTED): string {
	if (ranges.length === 0) return text;
	let clean = "";
	let done = 0;
	for (const [start, end] of ranges) {
		// Adjacent parts of one value and overlapping matches become one replacement.
		if (start > done || (done === 0 && clean === "")) clean += text.slice(done, start) + by;
		done = Math.max(done, end);
	}
	return clean + text.slice(done);
}

/** One character per byte, so that binary data survives the conversion. */
export function toBinaryText(bytes: Uint8Array): string {
	const units =
		bytes.length > SCRATCH.length ? new Uint16Array(bytes.length) : SCRATCH.subarray(0, bytes.length);
	units.set(bytes);
	return utf16.decode(units);
}

/** Decoding is several times as fast as String.fromCharCode. */
const utf16 = new TextDecoder("utf-16le");
/** Spares the memory that would be garbage for each part of a long body. */
const SCRATCH = new Uint16Array(64 * 1024);

export function toBytes(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
	return bytes;
}
