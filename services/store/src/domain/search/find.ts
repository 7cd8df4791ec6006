import { buildLists, buildMatchAll, type List, type QueryWord, type Scope } from "./query.ts";

/** Entries by sequence number, newest first. */
type Entries = readonly number[];

export interface SearchIndex {
	/** The newest matches of each expression, at most `most`, and the oldest match of the first expression. */
	listNewest(
		expressions: readonly string[],
		most: number,
	): Promise<{ readonly answers: readonly Entries[]; readonly oldest: number }>;
	/** Filters the entries by type. */
	filterByType(entries: Entries, types: readonly string[]): Promise<Entries>;
}

export interface Hit {
	readonly seq: number;
	readonly score: number;
}

/** How many posting list entries a search reads. */
const BUDGET = {
	/** The first read: from all lists together, and from each list. */
	first: 6000,
	perListAtLeast: 50,
	perListAtMost: 300,
	/** The second read: from one list, and from all lists of rarer words, which are read completely. */
	second: 1000,
	rarer: 6000,
	/** How many entries the second read may scan to find common words in entries that have the rarest word. */
	beside: 40_000,
	besideLists: 8,
};

interface ReadList extends List {
	readonly entries: Entries;
	/** The list's length, estimated if only the newest entries were read. */
	readonly size: number;
	readonly isCut: boolean;
}

interface ReadWord {
	readonly lists: readonly ReadList[];
	/** How many entries have the word in any form, and how many have it as a prefix. */
	readonly frequency: number;
	readonly startFrequency: number;
}

/** More words are ignored: each needs several lists, and every list is queried once more per type. */
const MAX_WORDS = 32;
const MAX_WORDS_AND_TYPES = 96;

/** How many hits of any type are read per requested hit before filtering by type. */
const UNFILTERED_HITS_PER_HIT = 10;

/**
 * The best entries, best first. A type filter in the index scans all entries of that type, so hits of any type are
 * read and filtered first; the index filters by type only if that leaves too few.
 */
export async function findHits(
	index: SearchIndex,
	words: readonly QueryWord[],
	scope: Scope,
	limit: number,
): Promise<Hit[]> {
	const { entry_types: types } = scope;
	if (types === undefined) return findHitsInScope(index, words, scope, limit);
	const hits = await findHitsInScope(
		index,
		words,
		{ ...scope, entry_types: undefined },
		UNFILTERED_HITS_PER_HIT * limit,
	);
	const wanted = new Set(
		await index.filterByType(
			hits.map(({ seq }) => seq),
			types,
		),
	);
	const kept = hits.filter(({ seq }) => wanted.has(seq)).slice(0, limit);
	if (kept.length === limit || hits.length < BUDGET.perListAtLeast) return kept;
	const most = Math.ceil(MAX_WORDS_AND_TYPES / (1 + types.length));
	return findHitsInScope(index, words.slice(0, most), scope, limit);
}

/**
 * Ranks by BM25, approximated by a bounded read of the index. The first read takes only the newest entries of long
 * lists, which shows how common each word is; a second read adds the entries that affect the order most.
 */
async function findHitsInScope(
	index: SearchIndex,
	given: readonly QueryWord[],
	scope: Scope,
	limit: number,
): Promise<Hit[]> {
	const words = given.slice(0, MAX_WORDS);
	if (words.length === 0) return [];
	const lists = words.map((word) => buildLists(word, scope));
	const asked = lists.flat();
	const share = Math.floor(BUDGET.first / asked.length);
	const most = Math.min(BUDGET.perListAtMost, Math.max(BUDGET.perListAtLeast, share));
	const { answers, oldest } = await index.listNewest(
		[buildMatchAll(scope), ...asked.map(({ expression }) => expression)],
		most,
	);
	const [every = [], ...found] = answers;
	const estimateSize = createSizeEstimator(every[0] ?? 0, oldest, most);
	const entriesByList = new Map(asked.map((list, place) => [list, found[place] ?? []]));
	const read = lists.map((each) =>
		buildReadWord(
			each.map((list) => {
				const entries = entriesByList.get(list) ?? [];
				return { ...list, entries, size: estimateSize(entries), isCut: entries.length >= most };
			}),
		),
	);
	return rankBest(await readFurther(index, read), estimateSize(every), limit);
}

/** Estimates a list's length by extrapolating the density of its newest entries back to the oldest entry. */
function createSizeEstimator(newest: number, oldest: number, most: number) {
	return (entries: Entries): number => {
		const last = entries.at(-1);
		if (last === undefined || entries.length < most) return entries.length;
		return (entries.length * (newest - oldest + 1)) / (newest - last + 1);
	};
}

function buildReadWord(lists: readonly ReadList[]): ReadWord {
	const sum = (part: List["part"]) =>
		lists.reduce((total, list) => total + (list.part === part ? list.size : 0), 0);
	return { lists, frequency: sum("level"), startFrequency: sum("start") };
}

/** Reads truncated lists further: rarer words completely, common ones only where the rarest word occurs too. */
async function readFurther(index: SearchIndex, words: readonly ReadWord[]): Promise<readonly ReadWord[]> {
	const getCommonness = (word: ReadWord) => word.frequency + word.startFrequency;
	const [rarest, ...others] = words
		.filter((word) => getCommonness(word) > 0)
		.sort((one, other) => getCommonness(one) - getCommonness(other));
	const besideRarest = (rarest?.lists ?? [])
		.filter((list) => list.part !== "form" && list.entries.length > 0)
		.map((list) => list.bare)
		.join(" OR ");
	let { rarer, beside, besideLists } = BUDGET;
	const asked = new Map<ReadList, string>();
	for (const list of [rarest, ...others].flatMap((word) => word?.lists ?? [])) {
		if (!list.isCut) continue;
		if (list.size <= Math.min(rarer, BUDGET.second)) {
			rarer -= list.size;
			asked.set(list, list.expression);
		} else if (list.size <= beside && besideLists > 0 && !rarest?.lists.includes(list)) {
			beside -= list.size;
			besideLists--;
			asked.set(list, `${list.expression} AND (${besideRarest})`);
		}
	}
	if (asked.size === 0) return words;
	const { answers } = await index.listNewest([...asked.values()], BUDGET.second);
	const more = new Map([...asked.keys()].map((list, place) => [list, answers[place] ?? []]));
	return words.map((word) => ({
		...word,
		lists: word.lists.map((list) => ({ ...list, entries: [...list.entries, ...(more.get(list) ?? [])] })),
	}));
}

function rankBest(words: readonly ReadWord[], total: number, limit: number): Hit[] {
	const places = new Map<number, number>();
	for (const { lists } of words) {
		for (const { entries } of lists) {
			for (const seq of entries) if (!places.has(seq)) places.set(seq, places.size);
		}
	}
	const scores = new Float64Array(places.size);
	for (const word of words) addScores(scores, word, places, total);
	// Low scores are filtered out first, so that the sort by score and age handles only a few.
	const least = scores.toSorted().at(-limit) ?? 0;
	return [...places]
		.map(([seq, place]) => ({ seq, score: scores[place] as number }))
		.filter(({ score }) => score >= least)
		.sort((one, other) => other.score - one.score || other.seq - one.seq)
		.slice(0, limit);
}

/** An exact form adds to its word's level; a prefix match counts only if it outscores the word itself. */
function addScores(
	scores: Float64Array,
	{ lists, frequency, startFrequency }: ReadWord,
	places: ReadonlyMap<number, number>,
	total: number,
): void {
	const rarity = computeRarity(frequency, total);
	// A prefix match never outweighs the whole word, since it may match on fewer letters than were typed.
	const startRarity = Math.min(
		computeRarity(startFrequency, total),
		frequency > 0 ? rarity : Number.POSITIVE_INFINITY,
	);
	const levels = new Float64Array(scores.length);
	const forms = new Float64Array(scores.length);
	const starts = new Float64Array(scores.length);
	const parts = { level: levels, form: forms, start: starts };
	for (const { part, weight, entries } of lists) {
		const weights = parts[part];
		for (const seq of entries) {
			const place = places.get(seq) as number;
			weights[place] = Math.max(weights[place] as number, weight);
		}
	}
	for (let place = 0; place < scores.length; place++) {
		const form = forms[place] as number;
		// The entry may be in the unread part of its level's list.
		const level = (levels[place] as number) || (form && 1);
		const start = starts[place] as number;
		scores[place] = (scores[place] as number) + Math.max((level + form) * rarity, start * startRarity);
	}
}

/** Inverse document frequency; never zero, so that a word in every entry still matches. */
function computeRarity(frequency: number, total: number): number {
	const known = Math.min(frequency, total);
	return Math.log(1 + (total - known + 0.5) / (known + 0.5));
}
