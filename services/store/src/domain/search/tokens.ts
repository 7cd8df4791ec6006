import { fold } from "./fold.ts";
import { stem } from "./porter.ts";

/** A searchable piece of a text and its position. */
export interface Token {
	readonly kind: "word" | "whole" | "pair";
	/** The text as written, folded. */
	readonly form: string;
	/** Offsets into the text, in UTF-16 code units. */
	readonly start: number;
	readonly end: number;
}

/** Longer words are indexed by their first letters. */
export const MAX_FORM_LENGTH = 64;

/** UTF-16 code units allowed per letter with its marks; longer sequences may be cut anywhere. */
const MAX_UNITS_PER_LETTER = 4;

/** Scripts without spaces between words (Hangul has them, but attaches particles) are indexed as character pairs. */
const PAIRED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const LETTER = String.raw`[\p{L}\p{N}\p{M}\u00ad\u200c\u200d\u2060]`;
const RUNS = new RegExp(`([${LETTER}&&[${PAIRED}]]+)|[${LETTER}--[${PAIRED}]]+`, "gv");
const LATIN_WORD = /^[a-z]+$/;
const NOT_IN_A_WORD = /^\p{M}+|[^\p{L}\p{N}\p{M}]+/gu;
/** Brackets that appear when compatibility forms such as ㈠ are decomposed. */
const BRACKETS = /[^\p{L}\p{N}\p{M}]+/gu;
/** A character with its marks, or a decomposed Hangul syllable: they compose only together. Half-width kana marks are letters. */
const CLUSTERS = /[\u1100-\u115f]+[\u1160-\u11ff]*|[^\p{M}ﾞﾟ][\p{M}ﾞﾟ]*|./gu;
const JOINERS = "-_./:@+";

/** The stem that all forms of a word share. */
export const toTerm = (form: string): string => (LATIN_WORD.test(form) ? stem(form) : form);

/** The tokens of a text in order, at most about `most`. */
export function tokenize(text: string, most: number): Token[] {
	const tokens: Token[] = [];
	let joined: Token[] = [];
	const closeJoined = () => {
		const length = joined.reduce((sum, { form }) => sum + form.length, 0);
		if (joined.length > 1 && length <= MAX_FORM_LENGTH) tokens.push(joinTokens(joined));
		joined = [];
	};
	for (const match of text.matchAll(RUNS)) {
		if (tokens.length >= most) break;
		const [run, paired] = match;
		if (paired !== undefined) {
			closeJoined();
			// A run may span the whole text.
			for (const token of toPairTokens(run.slice(0, MAX_UNITS_PER_LETTER * most), match.index))
				tokens.push(token);
			continue;
		}
		const token = toWordToken(run, match.index);
		if (token === null) continue;
		const last = joined.at(-1);
		if (last !== undefined && !isJoined(text, last.end, token.start)) closeJoined();
		joined.push(token);
		tokens.push(token);
	}
	closeJoined();
	return tokens;
}

function toWordToken(run: string, start: number): Token | null {
	const folded = fold(run.slice(0, MAX_UNITS_PER_LETTER * MAX_FORM_LENGTH))
		.replace(NOT_IN_A_WORD, "")
		.slice(0, MAX_FORM_LENGTH);
	// A split surrogate pair cannot be encoded as UTF-8.
	const form = folded.isWellFormed() ? folded : folded.slice(0, -1);
	if (form === "") return null;
	return { kind: "word", form, start, end: start + run.length };
}

const isJoined = (text: string, from: number, to: number): boolean =>
	to === from + 1 && JOINERS.includes(text[from] as string);

/** `http_request`, `v1.3.0` and `foo-bar` are also indexed as one word, whatever the separator. */
function joinTokens(parts: readonly Token[]): Token {
	const form = parts.map((part) => part.form).join("·");
	const [first, last] = [parts[0], parts.at(-1)] as [Token, Token];
	return { kind: "whole", form, start: first.start, end: last.end };
}

/** Every two adjacent characters; a single character stays alone. */
function toPairTokens(run: string, start: number): Token[] {
	const characters: Token[] = [];
	let end = start;
	for (const [cluster] of run.matchAll(CLUSTERS)) {
		const begin = end;
		end += cluster.length;
		const form = fold(cluster).replace(BRACKETS, "");
		if (form !== "") characters.push({ kind: "pair", form, start: begin, end });
	}
	if (characters.length === 1) return characters;
	return characters.slice(1).map((second, index) => {
		const first = characters[index] as Token;
		return { kind: "pair", form: first.form + second.form, start: first.start, end: second.end };
	});
}
