import { type Range, type Redactor, redactRanges, toBinaryText, toBytes } from "./redact.ts";

interface Options {
	/** How many bytes are searched at a time. */
	readonly window?: number;
	/** A value in its longest common spelling has fewer bytes. */
	readonly margin?: number;
	/** Yields lines as soon as they are complete. */
	readonly byLine?: boolean;
}

const WINDOW = 48 * 1024;
const MARGIN = 12 * 1024;

/** Bytes before a match that decide whether it is a word of its own, or part of a longer base64 text. */
const CONTEXT = 64;

/**
 * Removes values from content that is too large for memory, also where they extend over several chunks. What it yields
 * is valid only until the next chunk is asked for.
 */
export async function* redactContent(
	content: AsyncIterable<Uint8Array>,
	redactor: Redactor,
	{ window = WINDOW, margin = MARGIN, byLine = false }: Options = {},
): AsyncGenerator<Uint8Array> {
	const buffer = new Uint8Array(window);
	let filled = 0;
	/** How many of the bytes were yielded already; they are kept as context. */
	let done = 0;
	for await (const chunk of content) {
		for (let at = 0; at < chunk.length; ) {
			const length = Math.min(chunk.length - at, window - filled);
			const part = chunk.subarray(at, at + length);
			buffer.set(part, filled);
			at += length;
			filled += length;
			const lineEnd = byLine ? findLineEnd(part) : 0;
			if (lineEnd === 0 && filled < window) continue;
			const found = findIn(buffer.subarray(0, filled), done, redactor);
			const end = extendPast(found, lineEnd === 0 ? window - margin : filled - length + lineEnd);
			yield redactBytes(buffer.subarray(done, end), done, found);
			const kept = Math.max(0, end - CONTEXT);
			buffer.copyWithin(0, kept, filled);
			filled -= kept;
			done = end - kept;
		}
	}
	if (filled === done) return;
	const rest = buffer.subarray(0, filled);
	yield redactBytes(rest.subarray(done), done, findIn(rest, done, redactor));
}

/** The place behind the last line break, or 0. */
const findLineEnd = (bytes: Uint8Array): number =>
	Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1;

/** Values that start before `from` were found with the bytes before. */
const findIn = (bytes: Uint8Array, from: number, redactor: Redactor): readonly Range[] =>
	redactor.find(toBinaryText(bytes)).filter(([start]) => start >= from);

/** The place at `end`, or behind the values that it would cut. */
function extendPast(ranges: readonly Range[], end: number): number {
	let place = end;
	for (const [start, stop] of ranges) if (start < place && stop > place) place = stop;
	return place;
}

/** @param offset Of the bytes in what the ranges refer to. */
function redactBytes(bytes: Uint8Array, offset: number, ranges: readonly Range[]): Uint8Array {
	const within = ranges
		.map(([start, end]): Range => [start - offset, end - offset])
		.filter(([start]) => start < bytes.length);
	return within.length === 0 ? bytes : toBytes(redactRanges(within, toBinaryText(bytes)));
}
