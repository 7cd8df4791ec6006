/** A matching range of a text, end exclusive, in UTF-16 code units. */
export type Mark = readonly [start: number, end: number];

export interface Match {
	/** Higher is better; comparable between texts for one query. */
	readonly score: number;
	readonly marks: readonly Mark[];
}

/**
 * Every word of the query must match: as a substring, as prefixes of the text's words, or as letters close together.
 */
export function matchText(query: string, text: string): Match | null {
	const marks: Mark[] = [];
	let score = 0;
	for (const word of toLower(query).split(/\s+/).filter(Boolean)) {
		const found = matchSubstring(word, text) ?? matchPrefixes(word, text) ?? matchSpread(word, text);
		if (found === null) return null;
		score += found.score;
		marks.push(...found.marks);
	}
	// With equal matches the shorter text ranks higher.
	return { score: score - text.length / 100, marks: joinMarks(marks) };
}

/** Lower case, only if that keeps the length: positions must stay valid. */
function toLower(text: string): string {
	const lower = text.toLowerCase();
	return lower.length === text.length ? lower : text;
}

const isLetter = (character: string | undefined): boolean =>
	character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * Whether a word starts here: after a space or symbol, at an upper-case letter after a lower-case one, or anywhere in
 * Han script.
 */
function isWordStart(text: string, at: number): boolean {
	const [before, here] = [text[at - 1], text[at]];
	if (!isLetter(here)) return false;
	if (!isLetter(before)) return true;
	return /\p{Script=Han}/u.test(here ?? "") || (/\p{Ll}/u.test(before ?? "") && /\p{Lu}/u.test(here ?? ""));
}

function matchSubstring(word: string, text: string): Match | null {
	const lower = toLower(text);
	let best: Match | null = null;
	for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
		const score = 60 + (at === 0 ? 40 : isWordStart(text, at) ? 30 : 0);
		if (best === null || score > best.score) best = { score, marks: [[at, at + word.length]] };
	}
	return best;
}

/** Limits the search: a long pasted word would have too many ways to split it. */
const MAX_PREFIX_LETTERS = 20;

/** Matches prefixes of words: "dr" and "dairep" match "daily-report". */
function matchPrefixes(word: string, text: string): Match | null {
	const lower = toLower(text);
	if (word.length > MAX_PREFIX_LETTERS || !hasInOrder(word, lower)) return null;
	const beginnings = Array.from({ length: lower.length }, (_, at) => at).filter((at) =>
		isWordStart(text, at),
	);
	const failed = new Set<string>();
	const places = findPlaces(0, 0);
	if (places === null) return null;
	return { score: 50 - places.length * 2, marks: places };

	function findPlaces(typed: number, from: number): Mark[] | null {
		if (typed === word.length) return [];
		const key = `${typed} ${from}`;
		if (failed.has(key)) return null;
		for (const at of beginnings.filter((each) => each >= from)) {
			// Try the longest piece first: fewer pieces are a better match.
			for (let size = countCommon(typed, at); size > 0; size--) {
				const rest = findPlaces(typed + size, at + size);
				if (rest !== null) return [[at, at + size], ...rest];
			}
		}
		failed.add(key);
		return null;
	}

	function countCommon(typed: number, at: number): number {
		let size = 0;
		while (typed + size < word.length && word[typed + size] === lower[at + size]) size++;
		return size;
	}
}

function hasInOrder(word: string, lower: string): boolean {
	let at = 0;
	for (const letter of word) {
		at = lower.indexOf(letter, at) + 1;
		if (at === 0) return false;
	}
	return true;
}

/** Matches if a few letters were left out. */
function matchSpread(word: string, text: string): Match | null {
	if (word.length < 3) return null;
	const lower = toLower(text);
	const maxSpan = Math.ceil(word.length * 1.5);
	for (
		let start = lower.indexOf(word.charAt(0));
		start >= 0;
		start = lower.indexOf(word.charAt(0), start + 1)
	) {
		const marks: Mark[] = [];
		let at = start;
		for (const letter of word) {
			at = lower.indexOf(letter, at);
			if (at < 0) return null;
			marks.push([at, at + letter.length]);
			at += letter.length;
		}
		if (at - start <= maxSpan) return { score: 20 - (at - start - word.length), marks };
	}
	return null;
}

function joinMarks(marks: readonly Mark[]): Mark[] {
	const all: Mark[] = [];
	for (const [start, end] of [...marks].sort((a, b) => a[0] - b[0])) {
		const last = all.at(-1);
		if (last !== undefined && start <= last[1]) all[all.length - 1] = [last[0], Math.max(last[1], end)];
		else all.push([start, end]);
	}
	return all;
}
