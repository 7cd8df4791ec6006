import { isStopWord } from "./stop-words.ts";
import { type Token, termOf, tokensOf } from "./tokens.ts";

/** What is indexed of an entry. */
export interface Indexable {
	readonly owner_id: string;
	readonly entry_type: string;
	readonly page_name: string;
	readonly content: string;
}

/** To be raised with every change of what `termsOf` gives: everything is then indexed anew. */
export const TERMS_VERSION = 1;

/** What is past these is not indexed: they bound what one entry can cost, and D1 takes texts up to two megabytes. */
const WORDS_PER_ENTRY = 20_000;
const FORMS_PER_ENTRY = 4_000;
const CHARACTERS_PER_ENTRY = 700_000;
/** About how many terms a form makes, and how long they are beside what they all begin with. */
const TERMS_PER_FORM = 5;
const TERM_LENGTH = 15;

/** A word of the page's name counts as this many in the content. */
const TITLE_WEIGHT = 2;

/** BM25. The length that counts as average is fixed, because how much a word matters is written into the index. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const AVERAGE_LENGTH = 150;

/** How much a word matters in an entry, in five steps; each is a term of its own, so that the index can be asked by step. */
export const LEVELS = [
	{ kind: "a", from: 0, weight: 0.25 },
	{ kind: "b", from: 0.5, weight: 0.7 },
	{ kind: "c", from: 0.9, weight: 1.1 },
	{ kind: "d", from: 1.3, weight: 1.5 },
	{ kind: "e", from: 1.7, weight: 1.95 },
] as const;

/** The other kinds of terms. */
export const EVERY = "n";
const TYPE = "t";
export const FORM = { title: "x", text: "w" } as const;
export const START = { title: "q", text: "p" } as const;

/** By how many of its first letters a word can be found; between two of these by the fewer. */
export const START_LENGTHS = { title: [1, 2, 3, 4, 5, 6], text: [3, 5] } as const;

/** Workflows are searched apart, and so are triplets that no longer hold. */
export type Area = "knowledge" | "workflows" | "history";

const AREA_MARKS = { knowledge: "k", workflows: "w", history: "h" } as const;

/** What every term of an owner's area begins with: a search never meets the terms of another. */
export const spaceOf = (owner: string, area: Area): string => encoded(owner) + AREA_MARKS[area];

/** Everything that finds an entry, each term once, as the text that is given to the index. */
export function termsOf(entry: Indexable, area: Area = areaOf(entry)): string {
	const space = spaceOf(entry.owner_id, area);
	const room = Math.floor(CHARACTERS_PER_ENTRY / (TERMS_PER_FORM * (space.length + TERM_LENGTH)));
	const forms = formCounts(Math.min(FORMS_PER_ENTRY, room));
	forms.add(tokensOf(entry.page_name, WORDS_PER_ENTRY), "title", TITLE_WEIGHT);
	forms.add(tokensOf(entry.content, WORDS_PER_ENTRY), "text", 1);
	const terms = [space + EVERY, space + typeTerm(entry.entry_type)];
	const starts = new Set<string>();
	const frequencies = new Map<string, number>();
	for (const [text, form] of forms.counted) {
		const term = form.kind === "word" ? termOf(text) : text;
		frequencies.set(term, (frequencies.get(term) ?? 0) + form.frequency);
		if (form.kind === "whole" || isStopWord(text)) continue;
		if (form.kind === "word") terms.push(space + FORM[form.place] + text);
		for (const start of startsOf(text, form)) starts.add(start);
	}
	for (const [term, frequency] of frequencies) terms.push(space + levelOf(frequency, forms.length) + term);
	for (const start of starts) terms.push(space + start);
	return terms.join(" ");
}

const areaOf = ({ entry_type }: Indexable): Area => (entry_type === "workflow" ? "workflows" : "knowledge");

export const typeTerm = (entryType: string): string => TYPE + encoded(entryType);

interface Form {
	readonly kind: Token["kind"];
	readonly place: "title" | "text";
	frequency: number;
}

/** The different forms, at most `most`, and how long the entry is. */
function formCounts(most: number) {
	const counted = new Map<string, Form>();
	let length = 0;
	return {
		counted: counted as ReadonlyMap<string, Readonly<Form>>,
		get length() {
			return length;
		},
		add(tokens: readonly Token[], place: Form["place"], weight: number): void {
			for (const { kind, form } of tokens) {
				if (kind !== "whole") length += weight;
				const known = counted.get(form);
				if (known !== undefined) known.frequency += weight;
				else if (counted.size < most) counted.set(form, { kind, place, frequency: weight });
			}
		},
	};
}

function levelOf(frequency: number, length: number): string {
	const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / AVERAGE_LENGTH);
	const impact = (frequency * (SATURATION + 1)) / (frequency + norm);
	return (LEVELS.findLast(({ from }) => impact >= from) ?? LEVELS[0]).kind;
}

/** A word's first letters; of a pair, each character. */
function startsOf(text: string, { kind, place }: Form): string[] {
	const mark = START[place];
	if (kind === "pair") return [...text].map((character) => mark + character);
	const starts: string[] = [];
	for (const length of START_LENGTHS[place]) {
		const start = startOf(text, length);
		if (start.length === text.length) break;
		starts.push(mark + start);
	}
	return starts;
}

export const startOf = (text: string, length: number): string =>
	text.charCodeAt(0) < 0x80 ? text.slice(0, length) : [...text].slice(0, length).join("");

/** A name in lower-case letters and digits; no two names give the same, and none is the beginning of another. */
function encoded(name: string): string {
	return `${name.replace(/[^a-y0-9]/g, escaped)}z0`;
}

function escaped(character: string): string {
	switch (character) {
		case "z":
			return "zz";
		case "-":
			return "z1";
		case "_":
			return "z2";
		case ".":
			return "z3";
		default:
			return `z4${character.toLowerCase()}`;
	}
}
