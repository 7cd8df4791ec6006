import { compareLines, type DiffLine, mark } from "./line-edits.ts";

/** A run of changed lines with the unchanged ones around it. Lines are counted from 1. */
export interface Hunk {
	readonly from_line: number;
	readonly to_line: number;
	readonly lines: DiffLine[];
}

/** Unchanged lines shown before and after a change. */
const CONTEXT_LINES = 3;
/** What changed in more lines is not compared, and is one removed and one added piece of text. */
const MAX_LINES = 10_000;

const LINE_FEED = 10;

/**
 * The changed lines between two texts; empty if they are equal. Takes about ten milliseconds for texts of a megabyte,
 * however they differ.
 */
export function diffTexts(from: string, to: string): Hunk[] {
	if (from === to) return [];
	const { start, linesBefore } = findStart(from, to);
	const end = countSameAtEnd(from, to, start);
	const before = takeLast(from.slice(0, start));
	const lines = [
		...mark("same", before),
		...compareTexts(from.slice(start, from.length - end), to.slice(start, to.length - end)),
		...mark("same", splitLines(from.slice(from.length - end), CONTEXT_LINES).lines),
	];
	return toHunks(lines, linesBefore - before.length + 1);
}

/** Where the first line that differs starts. */
function findStart(from: string, to: string): { readonly start: number; readonly linesBefore: number } {
	const length = Math.min(from.length, to.length);
	let start = 0;
	let linesBefore = 0;
	for (let at = 0; at < length; at++) {
		const code = from.charCodeAt(at);
		if (code !== to.charCodeAt(at)) break;
		if (code !== LINE_FEED) continue;
		start = at + 1;
		linesBefore++;
	}
	return { start, linesBefore };
}

/** The number of characters in the whole lines at the end that are the same. */
function countSameAtEnd(from: string, to: string, start: number): number {
	const longest = Math.min(from.length, to.length) - start;
	let same = 0;
	let count = 0;
	for (; same < longest; same++) {
		const code = from.charCodeAt(from.length - 1 - same);
		if (code !== to.charCodeAt(to.length - 1 - same)) break;
		if (code === LINE_FEED) count = same;
	}
	return startsLine(from, from.length - same) && startsLine(to, to.length - same) ? same : count;
}

const startsLine = (text: string, at: number): boolean => at === 0 || text.charCodeAt(at - 1) === LINE_FEED;

/** Its first lines, at most so many, and whether these are all. */
function splitLines(text: string, most: number): { readonly lines: string[]; readonly isAll: boolean } {
	const lines: string[] = [];
	let at = 0;
	while (at < text.length && lines.length < most) {
		const end = text.indexOf("\n", at) + 1 || text.length;
		lines.push(text.slice(at, end));
		at = end;
	}
	return { lines, isAll: at === text.length };
}

/** Its last lines. */
function takeLast(text: string): string[] {
	let at = text.length;
	for (let nth = 0; nth < CONTEXT_LINES && at > 0; nth++)
		at = at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
	return splitLines(text.slice(at), CONTEXT_LINES).lines;
}

function compareTexts(from: string, to: string): DiffLine[] {
	const before = splitLines(from, MAX_LINES);
	const after = splitLines(to, MAX_LINES);
	if (before.isAll && after.isAll) return compareLines(before.lines, after.lines);
	return [...mark("removed", from === "" ? [] : [from]), ...mark("added", to === "" ? [] : [to])];
}

/** `line` is the number of the first one in both texts. */
function toHunks(lines: readonly DiffLine[], line: number): Hunk[] {
	const hunks: Hunk[] = [];
	let fromLine = line;
	let toLine = line;
	let open: { from_line: number; to_line: number; lines: DiffLine[] } | null = null;
	let sameSince = 0;
	const before: DiffLine[] = [];
	for (const each of lines) {
		if (each.change === "same") {
			if (open !== null && ++sameSince <= 2 * CONTEXT_LINES) open.lines.push(each);
			else if (open !== null) {
				before.push(...open.lines.splice(open.lines.length - CONTEXT_LINES), each);
				hunks.push(open);
				open = null;
			} else before.push(each);
			if (open === null && before.length > CONTEXT_LINES) before.splice(0, before.length - CONTEXT_LINES);
		} else {
			open ??= {
				from_line: fromLine - before.length,
				to_line: toLine - before.length,
				lines: before.splice(0),
			};
			open.lines.push(each);
			sameSince = 0;
		}
		if (each.change !== "added") fromLine++;
		if (each.change !== "removed") toLine++;
	}
	if (open !== null) {
		open.lines.splice(open.lines.length - Math.max(0, sameSince - CONTEXT_LINES), sameSince);
		hunks.push(open);
	}
	return hunks;
}
