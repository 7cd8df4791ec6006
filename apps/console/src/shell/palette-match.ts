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
export function matchOf(query: string, text: string): Match | null {
	const marks: Mark[] = [];
	let score = 0;
	for (const word of lowered(query).split(/\s+/).filter(Boolean)) {
		const found = inOnePiece(word, text) ?? byBeginnings(word, text) ?? closeTogether(word, text);
		if (found === null) return null;
		score += found.score;
		marks.push(...found.marks);
	}
	// With equal matches the shorter text ranks higher.
	return { score: score - text.length / 100, marks: joined(marks) };
}

/** Lower case, only if that keeps the length: positions must stay valid. */
function lowered(text: string): string {
	const lower = text.toLowerCase();
	return lower.length === text.length ? lower : text;
}

const isLetter = (character: string | undefined): boolean =>
	character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * Whether a word starts here: after a space or symbol, at an upper-case letter after a lower-case one, or anywhere in
 * Han script.
 */
function isBeginning(text: string, at: number): boolean {
	const [before, here] = [text[at - 1], text[at]];
	if (!isLetter(here)) return false;
	if (!isLetter(before)) return true;
	return /\p{Script=Han}/u.test(here ?? "") || (/\p{Ll}/u.test(before ?? "") && /\p{Lu}/u.test(here ?? ""));
}

function inOnePiece(word: string, text: string): Match | null {
	const lower = lowered(text);
	let best: Match | null = null;
	for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
		const score = 60 + (at === 0 ? 40 : isBeginning(text, at) ? 30 : 0);
		if (best === null || score > best.score) best = { score, marks: [[at, at + word.length]] };
	}
	return best;
}

/** Limits the search: a long pasted word would have too many ways to split it. */
const MOST_LETTERS = 20;

/** Matches prefixes of words: "dr" and "dairep" match "daily-report". */
function byBeginnings(word: string, text: string): Match | null {
	const lower = lowered(text);
	if (word.length > MOST_LETTERS || !hasInOrder(word, lower)) return null;
	const beginnings = Array.from({ length: lower.length }, (_, at) => at).filter((at) =>
		isBeginning(text, at),
	);
	const failed = new Set<string>();
	const places = placesFrom(0, 0);
	if (places === null) return null;
	return { score: 50 - places.length * 2, marks: places };

	function placesFrom(typed: number, from: number): Mark[] | null {
		if (typed === word.length) return [];
		const key = `${typed} ${from}`;
		if (failed.has(key)) return null;
		for (const at of beginnings.filter((each) => each >= from)) {
			// Try the longest piece first: fewer pieces are a better match.
			for (let size = commonAt(typed, at); size > 0; size--) {
				const rest = placesFrom(typed + size, at + size);
				if (rest !== null) return [[at, at + size], ...rest];
			}
		}
		failed.add(key);
		return null;
	}

	function commonAt(typed: number, at: number): number {
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
function closeTogether(word: string, text: string): Match | null {
	if (word.length < 3) return null;
	const lower = lowered(text);
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

function joined(marks: readonly Mark[]): Mark[] {
	const all: Mark[] = [];
	for (const [start, end] of [...marks].sort((a, b) => a[0] - b[0])) {
		const last = all.at(-1);
		if (last !== undefined && start <= last[1]) all[all.length - 1] = [last[0], Math.max(last[1], end)];
		else all.push([start, end]);
	}
	return all;
}
