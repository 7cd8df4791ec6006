import type { Meter } from "@tripline/engine/meter";
import { type Part, PLACES, type Sequence } from "./pattern-tree.ts";

/** The positions of a pattern that match a character, and in how many ways each can follow another. */
export interface Automaton {
	/** The character set of each position, as bits. */
	readonly takes: readonly Int32Array[];
	readonly after: readonly ReadonlyMap<number, number>[];
}

/** A piece of a pattern: the positions where it can start and end, and whether it can be empty. */
interface Piece {
	readonly first: readonly number[];
	readonly last: readonly number[];
	readonly mayBeEmpty: boolean;
}

/** A part that can repeat more often than this is treated as unbounded. */
const MAX_UNROLLED_REPEATS = 8;
const MAX_PLACES = 3_000;
/** The cost of recording that one position can follow another. */
const UNITS_PER_ROUTE = 4;
const NOTHING: Piece = { first: [], last: [], mayBeEmpty: true };

/** The Glushkov automaton of a pattern, with counted duplicate transitions; null if the pattern is too large. */
export function buildAutomaton(alternatives: readonly Sequence[], meter: Meter): Automaton | null {
	const takes: Int32Array[] = [];
	const after: Map<number, number>[] = [];
	try {
		joinAlternatives(alternatives);
		return { takes, after };
	} catch (error) {
		if (error instanceof TooLarge) return null;
		throw error;
	}

	function joinAlternatives(sequences: readonly Sequence[]): Piece {
		const pieces = sequences.map(joinSequence);
		return {
			first: pieces.flatMap(({ first }) => first),
			last: pieces.flatMap(({ last }) => last),
			mayBeEmpty: pieces.some(({ mayBeEmpty }) => mayBeEmpty),
		};
	}

	function joinSequence(sequence: Sequence): Piece {
		return sequence.reduce<Piece>((before, part) => joinPieces(before, repeatPart(part)), NOTHING);
	}

	function repeatPart(part: Part): Piece {
		const { least, most } = part;
		if (part.kind === "look" || most === 0) return NOTHING;
		if (most > MAX_UNROLLED_REPEATS) {
			const once = loopPiece(buildPart(part));
			return least === 0 ? { ...once, mayBeEmpty: true } : once;
		}
		let piece = NOTHING;
		// Optional repetitions are nested: a(a(a)?)?
		for (let nth = most; nth > 0; nth--) {
			piece = joinPieces(buildPart(part), piece);
			if (nth > least) piece = { ...piece, mayBeEmpty: true };
		}
		return piece;
	}

	function buildPart(part: Part): Piece {
		meter.spend(UNITS_PER_ROUTE);
		if (part.kind !== "characters") return joinAlternatives(part.alternatives);
		if (takes.length >= MAX_PLACES) throw new TooLarge();
		const place = takes.push(toBits(part.set)) - 1;
		after.push(new Map());
		return { first: [place], last: [place], mayBeEmpty: false };
	}

	function joinPieces(one: Piece, other: Piece): Piece {
		meter.spend(one.first.length + one.last.length + other.first.length + other.last.length);
		connect(one.last, other.first);
		return {
			first: one.mayBeEmpty ? [...one.first, ...other.first] : one.first,
			last: other.mayBeEmpty ? [...one.last, ...other.last] : other.last,
			mayBeEmpty: one.mayBeEmpty && other.mayBeEmpty,
		};
	}

	function loopPiece(piece: Piece): Piece {
		connect(piece.last, piece.first);
		return piece;
	}

	function connect(from: readonly number[], to: readonly number[]): void {
		if (from.length * to.length > MAX_PLACES * 100) throw new TooLarge();
		meter.spend(UNITS_PER_ROUTE * from.length * to.length);
		for (const place of from) {
			const next = after[place] as Map<number, number>;
			for (const other of to) next.set(other, (next.get(other) ?? 0) + 1);
		}
	}
}

class TooLarge extends Error {}

function toBits(set: Uint8Array): Int32Array {
	const bits = new Int32Array(Math.ceil(PLACES / 32));
	for (let code = 0; code < PLACES; code++) {
		if (set[code] === 1) bits[code >> 5] = (bits[code >> 5] ?? 0) | (1 << (code & 31));
	}
	return bits;
}
