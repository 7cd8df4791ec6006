import { fold } from "./fold.ts";
import { findOccurrences, type Occurrence } from "./occurrences.ts";
import type { QueryWord } from "./query.ts";

/** How a search hit is displayed. */
export interface Shown {
	readonly snippet: string;
	/** Positions of the matches in the snippet, in UTF-16 code units. */
	readonly matches: readonly Span[];
	/** Text that says which words matched and where. */
	readonly why: string;
}

interface Span {
	readonly start: number;
	readonly end: number;
}

const SNIPPET_LENGTH = 160;
const ELLIPSIS = "…";
const MAX_REASON_WORDS = 6;
/** How many characters the ends may move to reach a word boundary. */
const MAX_BOUNDARY_SHIFT = 20;

/** Null if the entry contains none of the words. */
export function buildSnippet(title: string, text: string, words: readonly QueryWord[]): Shown | null {
	const inTitle = findOccurrences(title, words);
	const inText = findOccurrences(text, words);
	if (inTitle.length + inText.length === 0) return null;
	const isTitleShown = text.trim() === "";
	const [shown, spans] = isTitleShown ? [title, inTitle] : [text, inText];
	return {
		...buildExcerpt(shown, findWindow(shown, spans), mergeSpans(spans)),
		why: describeMatches(title, inTitle, text, inText),
	};
}

/** The beginning of an entry whose match position is unknown. */
export function buildBeginning(title: string, text: string, why: "text" | "meaning"): Shown {
	const shown = text.trim() === "" ? title : text;
	return { ...buildExcerpt(shown, findWindow(shown, []), []), why };
}

function describeMatches(
	title: string,
	inTitle: readonly Occurrence[],
	text: string,
	inText: readonly Occurrence[],
): string {
	const parts = [
		["title", listMatchedWords(title, inTitle)],
		["text", listMatchedWords(text, inText)],
	] as const;
	return parts
		.filter(([, words]) => words.length > 0)
		.map(([place, words]) => `${place}: ${words.join(", ")}`)
		.join("; ");
}

function listMatchedWords(text: string, occurrences: readonly Occurrence[]): string[] {
	const words = new Map<string, string>();
	for (const { start, end } of mergeSpans(occurrences)) {
		const word = text.slice(start, end);
		if (!words.has(fold(word))) words.set(fold(word), word);
	}
	return [...words.values()].slice(0, MAX_REASON_WORDS);
}

/** Merges overlapping spans: consecutive character pairs read as one word. */
function mergeSpans(spans: readonly Span[]): Span[] {
	const result: { start: number; end: number }[] = [];
	for (const { start, end } of spans) {
		const last = result.at(-1);
		if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
		else result.push({ start, end });
	}
	return result;
}

/** The first window of the text with the most distinct query words. */
function findWindow(text: string, occurrences: readonly Occurrence[]): Span {
	let best: { count: number; first: number; last: number } = { count: 0, first: 0, last: 0 };
	for (const [index, { start }] of occurrences.entries()) {
		const near = occurrences.slice(index).filter(({ end }) => end - start <= SNIPPET_LENGTH);
		const count = new Set(near.map(({ word }) => word)).size;
		if (count > best.count) best = { count, first: start, last: Math.max(...near.map(({ end }) => end)) };
	}
	const around = Math.floor((SNIPPET_LENGTH - (best.last - best.first)) / 2);
	const start = Math.max(0, Math.min(best.first - around, text.length - SNIPPET_LENGTH));
	return {
		start: findWordStart(text, start, best.first),
		end: findWordEnd(text, start + SNIPPET_LENGTH, best.last),
	};
}

function findWordStart(text: string, start: number, latest: number): number {
	if (start === 0) return 0;
	const gap = text.slice(start - 1, Math.min(start + MAX_BOUNDARY_SHIFT, latest)).search(/\s/);
	return gap === -1 ? toCharacterStart(text, start) : start + gap;
}

function findWordEnd(text: string, end: number, earliest: number): number {
	if (end >= text.length) return text.length;
	const from = Math.max(end - MAX_BOUNDARY_SHIFT, earliest);
	const gap = text.slice(from, end + 1).search(/\s\S*$/);
	return gap === -1 ? toCharacterStart(text, end) : from + gap;
}

/** Moves the index out of a surrogate pair. */
const toCharacterStart = (text: string, index: number): number =>
	/[\udc00-\udfff]/.test(text[index] ?? "") ? index - 1 : index;

/** Collapses white space and control characters to single spaces and shifts the spans accordingly. */
function buildExcerpt(text: string, { start, end }: Span, spans: readonly Span[]): Omit<Shown, "why"> {
	let snippet = start > 0 ? ELLIPSIS : "";
	const matches: Span[] = [];
	const append = (from: number, to: number) => {
		const piece = text.slice(from, to).replace(BLANK, " ");
		snippet += snippet === "" || snippet.endsWith(" ") ? piece.trimStart() : piece;
	};
	let done = start;
	for (const span of spans.filter((each) => each.start >= start && each.end <= end)) {
		append(done, span.start);
		const begin = snippet.length;
		append(span.start, span.end);
		matches.push({ start: begin, end: snippet.length });
		done = span.end;
	}
	append(done, end);
	return { snippet: snippet.trimEnd() + (end < text.length ? ELLIPSIS : ""), matches };
}

const BLANK = /[\s\p{Cc}]+/gu;
