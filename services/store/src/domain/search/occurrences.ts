import type { QueryWord } from "./query.ts";
import { tokenize, toTerm } from "./tokens.ts";

/** The position of a query word in a text. */
export interface Occurrence {
	readonly start: number;
	readonly end: number;
	readonly word: QueryWord;
}

/** Enough to choose a snippet. */
const MAX_OCCURRENCES_PER_WORD = 20;
const MAX_CANDIDATES_PER_WORD = 1000;
const MAX_TOKENS = 2000;

const OTHER_LETTERS = /[[\p{L}\p{M}\p{N}]--[\0-\x7f]]/v;
const REST_OF_WORD = /[a-z0-9]+/y;

/** Matches in text order, limited per word. */
export function findOccurrences(text: string, words: readonly QueryWord[]): Occurrence[] {
	const spelled = words.filter(({ kind }) => kind === "word");
	const lower = text.toLowerCase();
	const found = OTHER_LETTERS.test(text)
		? findTokens(text, spelled)
		: spelled.flatMap((word) => findWord(lower, word));
	for (const word of words) if (word.kind === "pair") found.push(...findPair(text, word));
	return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

const isForm = (form: string, { term, start }: QueryWord): boolean =>
	(start !== null && form.startsWith(start)) || toTerm(form) === term;

/** Texts may be long, so only words that start with the right letters are compared. */
function findWord(lower: string, word: QueryWord): Occurrence[] {
	const beginnings = new Set([getCommonPrefix(word.term), ...(word.start === null ? [] : [word.start])]);
	const found: Occurrence[] = [];
	for (const beginning of beginnings) {
		let looked = 0;
		let at = lower.indexOf(beginning);
		while (at !== -1 && found.length < MAX_OCCURRENCES_PER_WORD && looked++ < MAX_CANDIDATES_PER_WORD) {
			REST_OF_WORD.lastIndex = at;
			const form = REST_OF_WORD.exec(lower)?.[0] ?? "";
			if (!isInWord(lower, at - 1) && isForm(form, word))
				found.push({ start: at, end: at + form.length, word });
			at = lower.indexOf(beginning, at + Math.max(1, form.length));
		}
	}
	return found;
}

/** The prefix that all forms of a word share; the end of a stem may differ from its forms. */
const getCommonPrefix = (term: string): string => term.slice(0, Math.max(3, term.length - 2));

function isInWord(lower: string, at: number): boolean {
	const code = lower.charCodeAt(at);
	return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

function findTokens(text: string, words: readonly QueryWord[]): Occurrence[] {
	const found: Occurrence[] = [];
	for (const { kind, form, start, end } of tokenize(text, MAX_TOKENS)) {
		const word = kind === "word" ? words.find((each) => isForm(form, each)) : undefined;
		if (word !== undefined) found.push({ start, end, word });
	}
	return found;
}

function findPair(text: string, word: QueryWord): Occurrence[] {
	const found: Occurrence[] = [];
	let at = text.indexOf(word.term);
	while (at !== -1 && found.length < MAX_OCCURRENCES_PER_WORD) {
		found.push({ start: at, end: at + word.term.length, word });
		at = text.indexOf(word.term, at + 1);
	}
	return found;
}
