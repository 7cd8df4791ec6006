import { toBase64, toHex } from "@tripline/contract/bytes";
import { escapeAll, listSpellings, toLower } from "./spellings.ts";

/** A search pattern for one value in one encoding: an anchor that no escaping changes, and the characters around it. */
export interface Needle {
	readonly anchor: string;
	/** The spellings of each character, from the anchor outwards. */
	readonly before: readonly Spellings[];
	readonly after: readonly Spellings[];
	/** The same characters as they are in the value. */
	readonly around: readonly string[];
	/** Number of characters at either end that share bits with the neighbouring text. */
	readonly edges: Range;
	/** Matches only if it is not part of a longer word. */
	readonly isWord: boolean;
}

type Spellings = readonly string[];
type Range = readonly [start: number, end: number];

/** A shorter value cannot be distinguished from other text. */
const MIN_LENGTH = 4;
/** From this length on, a value matches anywhere, even inside a word. */
const MIN_DISTINCT_LENGTH = 8;
/** Longer values are searched in parts: a part of a secret is a secret too. */
const MAX_PART_LENGTH = 256;
const NO_EDGES: Range = [0, 0];

export const buildNeedles = (value: string): Needle[] => splitParts(value).flatMap(buildPartNeedles);

/** All characters that can occur in a match. */
export function listCharacters(needles: readonly Needle[]): ReadonlySet<string> {
	// The first character of every escape sequence; the following ones are letters and digits.
	const found = new Set("%\\+");
	for (const { anchor, around } of needles)
		for (const part of [anchor, ...around]) for (const each of toLower(part)) found.add(each);
	return found;
}

/** The range of the value whose anchor is at `at`, or null if only the anchor matches. */
export function findRange(text: string, at: number, needle: Needle): Range | null {
	const end = matchOutwards(at + needle.anchor.length, needle.after, (from, spelling) =>
		text.startsWith(spelling, from) ? from + spelling.length : -1,
	);
	if (end === -1) return null;
	const start = matchOutwards(at, needle.before, (from, spelling) =>
		from >= spelling.length && text.startsWith(spelling, from - spelling.length)
			? from - spelling.length
			: -1,
	);
	if (start === -1 || (needle.isWord && (isWordAt(text, start - 1) || isWordAt(text, end)))) return null;
	return [
		start - countEdge(text, start - 1, needle.edges[0], -1),
		end + countEdge(text, end, needle.edges[1], 1),
	];
}

/**
 * Matches the characters, each in any of its spellings, and returns the end; -1 if one is missing. Follows several
 * positions at once, because %25 may be an escaped percent sign, or a percent sign followed by 25.
 */
function matchOutwards(
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
	return findFarthest(places, from);
}

const findFarthest = (places: readonly number[], from: number): number =>
	places.reduce((best, place) => (Math.abs(place - from) > Math.abs(best - from) ? place : best));

const isWordAt = (text: string, at: number): boolean => /[a-z0-9]/.test(text[at] ?? "");
/** Counts base64 characters from `at` on, up to `size`. */
function countEdge(text: string, at: number, size: number, step: 1 | -1): number {
	let count = 0;
	while (count < size && /[a-z0-9+/_-]/.test(text[at + count * step] ?? "")) count++;
	return count;
}

function splitParts(value: string): string[] {
	if (value.length < MIN_LENGTH) return [];
	const count = Math.ceil(value.length / MAX_PART_LENGTH);
	const length = Math.ceil(value.length / count);
	return Array.from({ length: count }, (_, index) => value.slice(index * length, (index + 1) * length));
}

function buildPartNeedles(value: string): Needle[] {
	const bytes = encoder.encode(value);
	const hex = toHex(bytes);
	if (value.length < MIN_DISTINCT_LENGTH) {
		const once = toBase64(bytes);
		const twice = [once, stripPadding(once)].map((each) => toBase64(encoder.encode(each)));
		const all = [value, ...[once, ...twice].map(stripPadding)].flatMap((each) => createSpelledNeedles(each));
		return [...all, createLiteralNeedle(hex)].map((needle) => ({ ...needle, isWord: true }));
	}
	return [
		...createSpelledNeedles(value),
		...escapeAll(value, hex).map(createLiteralNeedle),
		createLiteralNeedle(hex),
		...[0, 1, 2].flatMap((place) => encodeBase64At(bytes, place)).flatMap(createBase64Needles),
	];
}

const createLiteralNeedle = (text: string): Needle => ({
	anchor: toLower(text),
	before: [],
	after: [],
	around: [],
	edges: NO_EDGES,
	isWord: false,
});

/** Escaping does not change letters and digits. Without any, each spelling of the first character becomes an anchor. */
function createSpelledNeedles(value: string, edges: Range = NO_EDGES): Needle[] {
	let best = { index: 0, text: "" };
	for (const { 0: text, index } of value.matchAll(/[A-Za-z0-9]+/g)) {
		if (text.length > best.text.length) best = { index, text };
	}
	if (best.text === "") {
		const [first = "", ...rest] = value;
		return listSpellings(first)
			.filter((anchor) => anchor !== "")
			.map((anchor) => ({
				anchor,
				before: [],
				after: rest.map(listSpellings),
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
			before: before.map(listSpellings),
			after: after.map(listSpellings),
			around: [...before, ...after],
			edges,
			isWord: false,
		},
	];
}

interface Base64 {
	/** The characters that depend on the value alone. */
	readonly text: string;
	/** How many neighbouring characters depend on it partly. */
	readonly edges: Range;
}

/** The value inside a longer base64 text, starting at byte offset `place` modulo 3. */
function encodeBase64At(bytes: Uint8Array, place: number): Base64 {
	const shifted = new Uint8Array(place + bytes.length);
	shifted.set(bytes, place);
	const text = stripPadding(toBase64(shifted));
	const isCut = shifted.length % 3 !== 0;
	const own = text.slice(place === 0 ? 0 : place + 1, isCut ? -1 : undefined);
	return { text: own, edges: [place === 0 ? 0 : 1, isCut ? 1 : 0] };
}

/** A base64 text, and the same text encoded as base64 again; the inner one may be base64url. */
function createBase64Needles({ text, edges }: Base64): Needle[] {
	const forUrls = text.replaceAll("+", "-").replaceAll("/", "_");
	const inner = forUrls === text ? [text] : [text, forUrls];
	const twice = inner.flatMap((each) =>
		[0, 1, 2].map((place) => encodeBase64At(encoder.encode(each), place)),
	);
	return [
		...createSpelledNeedles(text, edges),
		// A character that depends partly on the value affects two characters of its base64 form.
		...twice.flatMap((each) =>
			createSpelledNeedles(each.text, [each.edges[0] + 2 * edges[0], each.edges[1] + 2 * edges[1]]),
		),
	];
}

const encoder = new TextEncoder();
const stripPadding = (base64: string): string => base64.replace(/=+$/, "");
