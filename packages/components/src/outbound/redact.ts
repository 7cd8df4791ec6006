import { withoutReferences } from "./character-references.ts";
import { charactersOf, type Needle, needlesFor, rangeAt } from "./needles.ts";
import { lowered } from "./spellings.ts";

const REDACTED = "[redacted]";

export interface Redactor {
	text(text: string): string;
	bytes(bytes: Uint8Array): Uint8Array;
}

/**
 * Removes values from texts in any spelling: plain, escaped for JSON, URLs, forms or HTML, in base64 (also inside a
 * longer text, and encoded twice) and in hex, regardless of case. The running time is linear in the length of the text.
 */
export function redactor(values: readonly string[]): Redactor {
	const needles = values.flatMap(needlesFor);
	const characters = charactersOf(needles);
	const text = (given: string) => without(rangesIn(given), given);
	return {
		text,
		bytes(bytes) {
			const given = decoder.decode(bytes);
			const ranges = rangesIn(given);
			if (ranges.length === 0) return bytes;
			const isText = !given.includes("\uFFFD");
			return isText ? new TextEncoder().encode(without(ranges, given)) : bytesOf(text(binaryText(bytes)));
		},
	};

	function rangesIn(given: string): Range[] {
		const text = lowered(given);
		const ranges = foundIn(text, needles);
		const read = withoutReferences(text, characters);
		if (read !== null) {
			for (const [start, end] of foundIn(read.text, needles))
				ranges.push([read.startOf(start), read.endOf(end)]);
		}
		return ranges.sort(([a], [b]) => a - b);
	}
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

type Range = readonly [start: number, end: number];

function foundIn(text: string, needles: readonly Needle[]): Range[] {
	const ranges: Range[] = [];
	for (const needle of needles) {
		let from = 0;
		for (;;) {
			const at = text.indexOf(needle.anchor, from);
			if (at === -1) break;
			const range = rangeAt(text, at, needle);
			if (range !== null) ranges.push(range);
			from = Math.max(at + 1, range?.[1] ?? 0);
		}
	}
	return ranges;
}

function without(ranges: readonly Range[], text: string): string {
	if (ranges.length === 0) return text;
	let clean = "";
	let done = 0;
	for (const [start, end] of ranges) {
		// Adjacent parts of one value and overlapping matches become one replacement.
		if (start > done || (done === 0 && clean === "")) clean += text.slice(done, start) + REDACTED;
		done = Math.max(done, end);
	}
	return clean + text.slice(done);
}

const CHUNK = 8192;

/** One character per byte, so that binary data survives the conversion. */
function binaryText(bytes: Uint8Array): string {
	let text = "";
	for (let start = 0; start < bytes.length; start += CHUNK) {
		text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
	}
	return text;
}

function bytesOf(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
	return bytes;
}
