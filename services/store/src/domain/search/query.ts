import { isStopWord } from "./stop-words.ts";
import { type Area, EVERY, FORM, LEVELS, START, START_LENGTHS, spaceOf, startOf, typeTerm } from "./terms.ts";
import { type Token, termOf, tokensOf } from "./tokens.ts";

/** One thing that is looked for. */
export interface QueryWord {
	readonly kind: Token["kind"];
	readonly term: string;
	/** As it was given; an entry that has one of these comes before one that has only other forms of the word. */
	readonly forms: readonly string[];
	/** What it may be only the beginning of. */
	readonly start: string | null;
}

/** Where is looked: an owner's knowledge or workflows, perhaps only entries of some types. */
export interface Scope {
	readonly owner_id: string;
	readonly area: Area;
	readonly entry_types?: readonly string[] | undefined;
}

/** A list of the index: entries, and what being in it counts for the word. */
export interface List {
	readonly part: "level" | "form" | "start";
	readonly weight: number;
	/** What the index is asked, and the same without the types of the scope. */
	readonly expression: string;
	readonly bare: string;
}

const FORM_WEIGHT = 0.5;
const START_WEIGHT = { title: 1.4, text: 0.7 } as const;
const PLACES = ["title", "text"] as const;

/** The last word may be the beginning of one, as long as nothing follows it. */
export function parseQuery(q: string): QueryWord[] {
	const tokens = tokensOf(q, q.length);
	const meaningful = tokens.filter(({ form }) => !isStopWord(form));
	const words = new Map<string, { kind: Token["kind"]; forms: string[]; start: string | null }>();
	for (const token of meaningful.length > 0 ? meaningful : tokens) {
		const term = token.kind === "word" ? termOf(token.form) : token.form;
		const word = words.get(term) ?? { kind: token.kind, forms: [], start: null };
		if (!word.forms.includes(token.form)) word.forms.push(token.form);
		if (isStart(token, q)) word.start = token.form;
		words.set(term, word);
	}
	return [...words].map(([term, word]) => ({ term, ...word }));
}

/** A character alone, of a script that is read in pairs, is a beginning wherever it stands. */
function isStart({ kind, form, end }: Token, q: string): boolean {
	return kind === "pair" ? startOf(form, 1) === form : kind === "word" && end === q.length;
}

/** Whether the lists of the word's beginning hold words with another one too. */
export const isVague = ({ kind, start }: QueryWord): boolean =>
	kind === "word" && start !== null && PLACES.some((place) => startIn(place, start) !== start);

/** Everything in the scope. */
export const everything = (scope: Scope): string => expressions(scope, EVERY).expression;

export function listsOf(word: QueryWord, scope: Scope): List[] {
	const list = (part: List["part"], weight: number, term: string): List => ({
		part,
		weight,
		...expressions(scope, term),
	});
	const lists = LEVELS.map(({ kind, weight }) => list("level", weight, kind + word.term));
	for (const place of PLACES) {
		for (const form of word.kind === "word" ? word.forms : []) {
			lists.push(list("form", FORM_WEIGHT, FORM[place] + form));
		}
		const start = word.start && (word.kind === "pair" ? word.start : startIn(place, word.start));
		if (start !== null) lists.push(list("start", START_WEIGHT[place], START[place] + start));
	}
	return lists;
}

/** As many of the first letters as words are indexed by; null when these are too few. */
function startIn(place: "title" | "text", start: string): string | null {
	const letters = [...start].length;
	const length = START_LENGTHS[place].findLast((each) => each <= letters);
	return length === undefined ? null : startOf(start, length);
}

/** Terms have only letters and digits; the quotes keep them from being read as operators all the same. */
function expressions(scope: Scope, term: string): Pick<List, "expression" | "bare"> {
	const space = spaceOf(scope.owner_id, scope.area);
	const bare = `"${space}${term}"`;
	const types = scope.entry_types?.map((type) => `"${space}${typeTerm(type)}"`).join(" OR ");
	return { bare, expression: types === undefined ? bare : `${bare} AND (${types})` };
}
