import type { Names } from "../frame.ts";
import { continuesIdentifier } from "./identifiers.ts";
import type { TextProblem } from "./problem.ts";

/** Characters on each side of the offset that may belong to the name. */
const MAX_DISTANCE = 128;

/**
 * The node whose name contains the offset but is not one word, as in `my-node.total` or `my node.total`: the languages
 * read it as several words.
 */
export function findSplitName(
	text: string,
	offset: number,
	{ isNode }: Names,
): { readonly start: number; readonly id: string } | undefined {
	if (isNode === undefined) return undefined;
	const words = listWords(text, offset);
	for (let count = words.length; count > 1; count--)
		for (let first = 0; first + count <= words.length; first++) {
			const start = words[first]?.start ?? 0;
			const end = words[first + count - 1]?.end ?? 0;
			if (start > offset || end < offset) continue;
			const id = text.slice(start, end);
			if (isNode(id)) return { start, id };
		}
	return undefined;
}

export const hintAtNode = (id: string): string =>
	`a node with this name is read as nodes[${JSON.stringify(id)}]`;

/** For a syntax error: the text may contain such a name. */
export function addNodeHint(problem: TextProblem, text: string, names: Names): TextProblem {
	const split = findSplitName(text, problem.offset, names);
	return split === undefined ? problem : { ...problem, hint: hintAtNode(split.id) };
}

const MAX_WORDS = 12;

/** The words around the offset that only spaces and dashes separate. */
function listWords(text: string, offset: number): { readonly start: number; readonly end: number }[] {
	const from = Math.max(0, offset - MAX_DISTANCE);
	const around = text.slice(from, offset + MAX_DISTANCE);
	let words: { start: number; end: number }[] = [];
	let gap = 0;
	for (let at = 0; at < around.length; ) {
		const code = around.codePointAt(at) as number;
		const size = code > 0xffff ? 2 : 1;
		const position = from + at;
		if (continuesIdentifier(code)) {
			const last = words.at(-1);
			if (last !== undefined && gap === 0) last.end = position + size;
			else words.push({ start: position, end: position + size });
			gap = 0;
		} else if (code === 0x20 || code === 0x2d) gap++;
		else if (position > offset) break;
		else words = [];
		at += size;
	}
	return words.slice(-MAX_WORDS);
}
