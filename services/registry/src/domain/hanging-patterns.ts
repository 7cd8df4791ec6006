import { type Meter, TooMuchWork } from "@tripline/engine/meter";
import { isExponential } from "./ambiguity.ts";
import { automatonOf } from "./pattern-places.ts";
import { type Part, PLACES, patternTree, type Sequence } from "./pattern-tree.ts";

/** A part that repeats more often than this may as well repeat for ever. */
const FEW = 16;
/** Neighbours that take the same characters: with this many, a text of some kilobytes is tried for minutes. */
const MOST_OVERLAPPING = 3;

/** Longer ones are written by programs. */
const MAX_LENGTH = 1000;
/** Of making the tree and the automaton, and of looking for overlaps. */
const UNITS_PER_CHARACTER = 400;

/**
 * Why a regular expression may try for ever on some text, or null. What it lets pass, such as a pattern put together at
 * run time, is bounded by the sandbox.
 */
export function hangs(source: string, flags: string, meter: Meter): string | null {
	if (source.length > MAX_LENGTH) return TOO_COMPLEX;
	try {
		meter.spend(source.length * UNITS_PER_CHARACTER);
		const tree = patternTree(source, flags.includes("i"));
		if (tree === null) return "its groups nest too deep";
		return (
			[tree, ...looksIn(tree)].map((each) => problemOf(each, meter)).find((each) => each !== null) ?? null
		);
	} catch (error) {
		if (error instanceof TooMuchWork) return TOO_COMPLEX;
		throw error;
	}
}

const TOO_COMPLEX = "it is too complex to be sure that it cannot";

function problemOf(alternatives: readonly Sequence[], meter: Meter): string | null {
	const automaton = automatonOf(alternatives, meter);
	if (automaton === null) return TOO_COMPLEX;
	if (isExponential(automaton, meter)) return "what it repeats can be read in two ways";
	return overlapsIn(alternatives)
		? "several repetitions one after the other can take the same characters"
		: null;
}

/** What is looked for ahead or behind is matched by itself. */
const looksIn = (alternatives: readonly Sequence[]): (readonly Sequence[])[] =>
	alternatives.flat().flatMap((part) => {
		if (part.kind === "characters") return [];
		return [...(part.kind === "look" ? [part.alternatives] : []), ...looksIn(part.alternatives)];
	});

const overlapsIn = (alternatives: readonly Sequence[]): boolean =>
	alternatives.some(
		(sequence) =>
			longestOverlap(inlined(sequence)) >= MOST_OVERLAPPING ||
			sequence.some((part) => part.kind === "group" && overlapsIn(part.alternatives)),
	);

const isEndless = ({ most }: Part): boolean => most > FEW;

/** How many endless parts in a row have a character in common with the one before, with nothing else between. */
function longestOverlap(sequence: Sequence): number {
	let longest = 0;
	let length = 0;
	let before: Uint8Array | null = null;
	for (const part of sequence) {
		const set = setOf(part);
		if (isEndless(part)) {
			length = before !== null && overlap(before, set) ? length + 1 : 1;
			before = set;
		} else if (part.least > 0 && (before === null || !overlap(before, set))) {
			length = 0;
			before = null;
		}
		longest = Math.max(longest, length);
	}
	return longest;
}

/** Without the brackets of groups that are there once. */
const inlined = (sequence: Sequence): Sequence =>
	sequence.flatMap((part) => {
		if (part.kind === "look") return [];
		const isPlain =
			part.kind === "group" && part.most === 1 && part.least === 1 && part.alternatives.length === 1;
		return isPlain ? inlined(part.alternatives[0] ?? []) : [part];
	});

/** All characters that the part can take. */
function setOf(part: Part): Uint8Array {
	if (part.kind === "characters") return part.set;
	const all = new Uint8Array(PLACES);
	for (const inner of part.alternatives.flat()) {
		for (const [code, member] of setOf(inner).entries()) all[code] = (all[code] ?? 0) | member;
	}
	return all;
}

const overlap = (one: Uint8Array, other: Uint8Array): boolean =>
	one.some((member, code) => member === 1 && other[code] === 1);
