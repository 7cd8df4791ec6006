import { toBase64, toHex } from "@tripline/contract/bytes";
import { escapedThroughout, lowered, spellings } from "./spellings.ts";

/** What to look for of one value in one encoding: a text that no escaping changes, and what stands around it. */
export interface Needle {
	readonly anchor: string;
	/** From the anchor outwards, each character in its spellings. */
	readonly before: readonly Spellings[];
	readonly after: readonly Spellings[];
	/** All of them, as they are in the value. */
	readonly around: readonly string[];
	/** Characters at either end that carry bits of the value and of what is beside it. */
	readonly edges: Range;
	/** Counts only where it is no part of a longer word. */
	readonly isWord: boolean;
}

type Spellings = readonly string[];
type Range = readonly [start: number, end: number];

/** A shorter value cannot be told from other text. */
const SHORTEST = 4;
/** From here on a value counts wherever it stands. */
const DISTINCT = 8;
/** Longer values are looked for in parts: a part of a secret is one too. */
const PART = 256;
const NO_EDGES: Range = [0, 0];

export const needlesFor = (value: string): Needle[] => partsOf(value).flatMap(needlesOfPart);

/** All that can be a part of what is looked for. */
export function charactersOf(needles: readonly Needle[]): ReadonlySet<string> {
	// Of every escape the first one; those that follow are letters and digits.
	const found = new Set("%\\+");
	for (const { anchor, around } of needles)
		for (const part of [anchor, ...around]) for (const each of lowered(part)) found.add(each);
	return found;
}

/** Where the value stands whose anchor is at `at`, or null: only the anchor is there. */
export function rangeAt(text: string, at: number, needle: Needle): Range | null {
	const end = reach(at + needle.anchor.length, needle.after, (from, spelling) =>
		text.startsWith(spelling, from) ? from + spelling.length : -1,
	);
	if (end === -1) return null;
	const start = reach(at, needle.before, (from, spelling) =>
		from >= spelling.length && text.startsWith(spelling, from - spelling.length)
			? from - spelling.length
			: -1,
	);
	if (start === -1 || (needle.isWord && (isWordAt(text, start - 1) || isWordAt(text, end)))) return null;
	return [start - edge(text, start - 1, needle.edges[0], -1), end + edge(text, end, needle.edges[1], 1)];
}

/**
 * How far the characters go, each in any of its spellings; -1: not all are there. Several places are followed at once,
 * because %25 may be a percent sign that was escaped, or one that was not and then 25.
 */
function reach(
	from: number,
	characters: readonly Spellings[],
	step: (from: number, spelling: string) => number,
): number {
	let places = [from];
	for (const character of characters) {
		const [only] = character;
		if (only !== undefined && character.length === 1 && places.length === 1) {
			const reached = step(places[0] as number, only);
			if (reached === -1) return -1;
			places[0] = reached;
			continue;
		}
		const next: number[] = [];
		for (const place of places) {
			for (const spelling of character) {
				const reached = step(place, spelling);
				if (reached !== -1 && !next.includes(reached)) next.push(reached);
			}
		}
		if (next.length === 0) return -1;
		places = next;
	}
	return farthest(places, from);
}

const farthest = (places: readonly number[], from: number): number =>
	places.reduce((best, place) => (Math.abs(place - from) > Math.abs(best - from) ? place : best));

const isWordAt = (text: string, at: number): boolean => /[a-z0-9]/.test(text[at] ?? "");
/** How many of the characters at `at` and on, up to `size`, are of base64. */
function edge(text: string, at: number, size: number, step: 1 | -1): number {
	let count = 0;
	while (count < size && /[a-z0-9+/_-]/.test(text[at + count * step] ?? "")) count++;
	return count;
}

function partsOf(value: string): string[] {
	if (value.length < SHORTEST) return [];
	const count = Math.ceil(value.length / PART);
	const length = Math.ceil(value.length / count);
	return Array.from({ length: count }, (_, index) => value.slice(index * length, (index + 1) * length));
}

function needlesOfPart(value: string): Needle[] {
	const bytes = encoder.encode(value);
	const hex = toHex(bytes);
	if (value.length < DISTINCT) {
		const once = toBase64(bytes);
		const twice = [once, unpadded(once)].map((each) => toBase64(encoder.encode(each)));
		const all = [value, ...[once, ...twice].map(unpadded)].flatMap((each) => spelled(each));
		return [...all, literal(hex)].map((needle) => ({ ...needle, isWord: true }));
	}
	return [
		...spelled(value),
		...escapedThroughout(value, hex).map(literal),
		literal(hex),
		...[0, 1, 2].flatMap((place) => base64At(bytes, place)).flatMap(inBase64Too),
	];
}

const literal = (text: string): Needle => ({
	anchor: lowered(text),
	before: [],
	after: [],
	around: [],
	edges: NO_EDGES,
	isWord: false,
});

/** Letters and digits are what escaping leaves alone. Without any, each spelling of the first character is looked for. */
function spelled(value: string, edges: Range = NO_EDGES): Needle[] {
	let best = { index: 0, text: "" };
	for (const { 0: text, index } of value.matchAll(/[A-Za-z0-9]+/g)) {
		if (text.length > best.text.length) best = { index, text };
	}
	if (best.text === "") {
		const [first = "", ...rest] = value;
		return spellings(first)
			.filter((anchor) => anchor !== "")
			.map((anchor) => ({
				anchor,
				before: [],
				after: rest.map(spellings),
				around: rest,
				edges,
				isWord: false,
			}));
	}
	const { index, text } = best;
	const before = [...value.slice(0, index)].reverse();
	const after = [...value.slice(index + text.length)];
	return [
		{
			anchor: text.toLowerCase(),
			before: before.map(spellings),
			after: after.map(spellings),
			around: [...before, ...after],
			edges,
			isWord: false,
		},
	];
}

interface Base64 {
	/** The characters that the value alone decides. */
	readonly text: string;
	/** How many beside them it has a part in. */
	readonly edges: Range;
}

/** The value in a longer base64 text, when it starts at `place` modulo 3. */
function base64At(bytes: Uint8Array, place: number): Base64 {
	const shifted = new Uint8Array(place + bytes.length);
	shifted.set(bytes, place);
	const text = unpadded(toBase64(shifted));
	const isCut = shifted.length % 3 !== 0;
	const own = text.slice(place === 0 ? 0 : place + 1, isCut ? -1 : undefined);
	return { text: own, edges: [place === 0 ? 0 : 1, isCut ? 1 : 0] };
}

/** A base64 text, and the same in base64 again; the inner one may be the kind for URLs. */
function inBase64Too({ text, edges }: Base64): Needle[] {
	const forUrls = text.replaceAll("+", "-").replaceAll("/", "_");
	const inner = forUrls === text ? [text] : [text, forUrls];
	const twice = inner.flatMap((each) => [0, 1, 2].map((place) => base64At(encoder.encode(each), place)));
	return [
		...spelled(text, edges),
		// What has a part in one character has one in two of those that stand for it.
		...twice.flatMap((each) =>
			spelled(each.text, [each.edges[0] + 2 * edges[0], each.edges[1] + 2 * edges[1]]),
		),
	];
}

const encoder = new TextEncoder();
const unpadded = (base64: string): string => base64.replace(/=+$/, "");
