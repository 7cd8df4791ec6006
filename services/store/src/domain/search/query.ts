import { isStopWord } from "./stop-words.ts";
import {
	type Area,
	buildTermPrefix,
	buildTypeTerm,
	EVERY,
	FORM,
	LEVELS,
	START,
	START_LENGTHS,
	takePrefix,
} from "./terms.ts";
import { type Token, tokenize, toTerm } from "./tokens.ts";

/** One search term of a query. */
export interface QueryWord {
	readonly kind: Token["kind"];
	readonly term: string;
	/** The forms as typed; entries with one of these rank above entries with only other forms of the word. */
	readonly forms: readonly string[];
	/** The prefix to match, if the word may be incomplete. */
	readonly start: string | null;
}

/** What is searched: an owner's knowledge or workflows, optionally only some entry types. */
export interface Scope {
	readonly owner_id: string;
	readonly area: Area;
	readonly entry_types?: readonly string[] | undefined;
}

/** A posting list of the index and the weight of a match in it. */
export interface List {
	readonly part: "level" | "form" | "start";
	readonly weight: number;
	/** The index query, with and without the scope's entry types. */
	readonly expression: string;
	readonly bare: string;
}

const FORM_WEIGHT = 0.5;
const START_WEIGHT = { title: 1.4, text: 0.7 } as const;
const PLACES = ["title", "text"] as const;

/** The last word is also matched as a prefix if nothing follows it. */
export function parseQuery(q: string): QueryWord[] {
	const tokens = tokenize(q, q.length);
	const meaningful = tokens.filter(({ form }) => !isStopWord(form));
	const words = new Map<string, { kind: Token["kind"]; forms: string[]; start: string | null }>();
	for (const token of meaningful.length > 0 ? meaningful : tokens) {
		const term = token.kind === "word" ? toTerm(token.form) : token.form;
		const word = words.get(term) ?? { kind: token.kind, forms: [], start: null };
		if (!word.forms.includes(token.form)) word.forms.push(token.form);
		if (isPrefix(token, q)) word.start = token.form;
		words.set(term, word);
	}
	return [...words].map(([term, word]) => ({ term, ...word }));
}

/** A single character of a script indexed in pairs is a prefix wherever it occurs. */
function isPrefix({ kind, form, end }: Token, q: string): boolean {
	return kind === "pair" ? takePrefix(form, 1) === form : kind === "word" && end === q.length;
}

/** Whether the indexed prefix is shorter than the typed one, so that other words match too. */
export const isVague = ({ kind, start }: QueryWord): boolean =>
	kind === "word" && start !== null && PLACES.some((place) => findIndexedPrefix(place, start) !== start);

/** The index query that matches every entry in the scope. */
export const buildMatchAll = (scope: Scope): string => buildExpressions(scope, EVERY).expression;

export function buildLists(word: QueryWord, scope: Scope): List[] {
	const list = (part: List["part"], weight: number, term: string): List => ({
		part,
		weight,
		...buildExpressions(scope, term),
	});
	const lists = LEVELS.map(({ kind, weight }) => list("level", weight, kind + word.term));
	for (const place of PLACES) {
		for (const form of word.kind === "word" ? word.forms : []) {
			lists.push(list("form", FORM_WEIGHT, FORM[place] + form));
		}
		const start = word.start && (word.kind === "pair" ? word.start : findIndexedPrefix(place, word.start));
		if (start !== null) lists.push(list("start", START_WEIGHT[place], START[place] + start));
	}
	return lists;
}

/** The longest indexed prefix of `start`; null if it is too short. */
function findIndexedPrefix(place: "title" | "text", start: string): string | null {
	const letters = [...start].length;
	const length = START_LENGTHS[place].findLast((each) => each <= letters);
	return length === undefined ? null : takePrefix(start, length);
}

/** Terms contain only letters and digits, but unquoted they could still be read as operators. */
function buildExpressions(scope: Scope, term: string): Pick<List, "expression" | "bare"> {
	const space = buildTermPrefix(scope.owner_id, scope.area);
	const bare = `"${space}${term}"`;
	const types = scope.entry_types?.map((type) => `"${space}${buildTypeTerm(type)}"`).join(" OR ");
	return { bare, expression: types === undefined ? bare : `${bare} AND (${types})` };
}
