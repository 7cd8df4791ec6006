import { isStopWord } from "./stop-words.ts";
import { type Token, tokenize, toTerm } from "./tokens.ts";

/** The fields of an entry that are indexed. */
export interface Indexable {
	readonly owner_id: string;
	readonly entry_type: string;
	readonly page_name: string;
	readonly content: string;
}

/** Raise it with every change of the generated terms: all entries are then reindexed. */
export const TERMS_VERSION = 1;

/** Text beyond these limits is not indexed: they bound the cost of one entry, and D1 takes texts up to 2 MB. */
const MAX_WORDS_PER_ENTRY = 20_000;
const MAX_FORMS_PER_ENTRY = 4_000;
const MAX_CHARACTERS_PER_ENTRY = 700_000;
/** Estimated terms per form, and their length without the common prefix. */
const TERMS_PER_FORM = 5;
const TERM_LENGTH = 15;

/** A word in the page name counts as this many in the content. */
const TITLE_WEIGHT = 2;

/** BM25 parameters. The average length is fixed because word weights are stored in the index. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const AVERAGE_LENGTH = 150;

/** A word's weight in an entry, in five levels; each level is a separate term, so that it can be queried by itself. */
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

/** The indexed prefix lengths; a prefix between two of them uses the shorter. */
export const START_LENGTHS = { title: [1, 2, 3, 4, 5, 6], text: [3, 5] } as const;

/** Workflows and deprecated triplets are searched separately from knowledge. */
export type Area = "knowledge" | "workflows" | "history";

const AREA_MARKS = { knowledge: "k", workflows: "w", history: "h" } as const;

/** The prefix of every term in an owner's area, so that a search never matches another owner's terms. */
export const buildTermPrefix = (owner: string, area: Area): string => encodeName(owner) + AREA_MARKS[area];

/** All index terms of an entry, each once, as the text to be indexed. */
export function buildTerms(entry: Indexable, area: Area = getArea(entry)): string {
	const space = buildTermPrefix(entry.owner_id, area);
	const room = Math.floor(MAX_CHARACTERS_PER_ENTRY / (TERMS_PER_FORM * (space.length + TERM_LENGTH)));
	const forms = createFormCounter(Math.min(MAX_FORMS_PER_ENTRY, room));
	forms.add(tokenize(entry.page_name, MAX_WORDS_PER_ENTRY), "title", TITLE_WEIGHT);
	forms.add(tokenize(entry.content, MAX_WORDS_PER_ENTRY), "text", 1);
	const terms = [space + EVERY, space + buildTypeTerm(entry.entry_type)];
	const starts = new Set<string>();
	const frequencies = new Map<string, number>();
	for (const [text, form] of forms.counted) {
		const term = form.kind === "word" ? toTerm(text) : text;
		frequencies.set(term, (frequencies.get(term) ?? 0) + form.frequency);
		if (form.kind === "whole" || isStopWord(text)) continue;
		if (form.kind === "word") terms.push(space + FORM[form.place] + text);
		for (const start of listPrefixes(text, form)) starts.add(start);
	}
	for (const [term, frequency] of frequencies) terms.push(space + pickLevel(frequency, forms.length) + term);
	for (const start of starts) terms.push(space + start);
	return terms.join(" ");
}

const getArea = ({ entry_type }: Indexable): Area => (entry_type === "workflow" ? "workflows" : "knowledge");

export const buildTypeTerm = (entryType: string): string => TYPE + encodeName(entryType);

interface Form {
	readonly kind: Token["kind"];
	readonly place: "title" | "text";
	frequency: number;
}

/** The distinct forms, at most `most`, and the entry's length. */
function createFormCounter(most: number) {
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

function pickLevel(frequency: number, length: number): string {
	const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / AVERAGE_LENGTH);
	const impact = (frequency * (SATURATION + 1)) / (frequency + norm);
	return (LEVELS.findLast(({ from }) => impact >= from) ?? LEVELS[0]).kind;
}

/** A word's prefixes; for a pair, each character. */
function listPrefixes(text: string, { kind, place }: Form): string[] {
	const mark = START[place];
	if (kind === "pair") return [...text].map((character) => mark + character);
	const starts: string[] = [];
	for (const length of START_LENGTHS[place]) {
		const start = takePrefix(text, length);
		if (start.length === text.length) break;
		starts.push(mark + start);
	}
	return starts;
}

export const takePrefix = (text: string, length: number): string =>
	text.charCodeAt(0) < 0x80 ? text.slice(0, length) : [...text].slice(0, length).join("");

/** Encodes a name as lower-case letters and digits: unique, and never a prefix of another. */
function encodeName(name: string): string {
	return `${name.replace(/[^a-y0-9]/g, escapeCharacter)}z0`;
}

function escapeCharacter(character: string): string {
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
