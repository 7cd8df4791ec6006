import { everything, type List, listsOf, type QueryWord, type Scope } from "./query.ts";

/** Entries by their place in the order of insertion, newest first. */
type Entries = readonly number[];

export interface SearchIndex {
	/** For each expression the newest entries that match, at most `most`; and the oldest that matches the first. */
	newest(
		expressions: readonly string[],
		most: number,
	): Promise<{ readonly answers: readonly Entries[]; readonly oldest: number }>;
	/** Those of the entries that are of the types. */
	ofTypes(entries: Entries, types: readonly string[]): Promise<Entries>;
}

export interface Hit {
	readonly seq: number;
	readonly score: number;
}

/** How much of the index a search reads, in entries of its lists. */
const BUDGET = {
	/** In the first read: from all lists together, and from one. */
	first: 6000,
	perListAtLeast: 50,
	perListAtMost: 300,
	/** In the second read: from one list, and from all lists of rarer words, which are read to their end. */
	second: 1000,
	rarer: 6000,
	/** What the second read may go through to find where commoner words stand beside the rarest. */
	beside: 40_000,
	besideLists: 8,
};

interface ReadList extends List {
	readonly entries: Entries;
	/** How many are in it; an estimate where only the newest were read. */
	readonly size: number;
	readonly isCut: boolean;
}

interface ReadWord {
	readonly lists: readonly ReadList[];
	/** In how many entries it stands, in one form or another, and as a beginning. */
	readonly frequency: number;
	readonly startFrequency: number;
}

/** Further words are not looked for: each is several lists, and each list is looked for once more per type. */
const MOST_WORDS = 32;
const MOST_WORDS_AND_TYPES = 96;

/** How many hits of any type are looked through for those of the types asked for, per hit asked for. */
const OF_ANY_TYPE = 10;

/**
 * The best entries, best first. The index walks all entries of a type to find those with a word, so hits of any type
 * are sorted out first; it is asked for both only where that leaves too few.
 */
export async function find(
	index: SearchIndex,
	words: readonly QueryWord[],
	scope: Scope,
	limit: number,
): Promise<Hit[]> {
	const { entry_types: types } = scope;
	if (types === undefined) return findIn(index, words, scope, limit);
	const hits = await findIn(index, words, { ...scope, entry_types: undefined }, OF_ANY_TYPE * limit);
	const wanted = new Set(
		await index.ofTypes(
			hits.map(({ seq }) => seq),
			types,
		),
	);
	const kept = hits.filter(({ seq }) => wanted.has(seq)).slice(0, limit);
	if (kept.length === limit || hits.length < BUDGET.perListAtLeast) return kept;
	const most = Math.ceil(MOST_WORDS_AND_TYPES / (1 + types.length));
	return findIn(index, words.slice(0, most), scope, limit);
}

/**
 * By BM25, as far as a bounded read of the index tells. Of long lists first only the newest entries are read; that tells
 * how common each word is, and a second read adds what matters most for the order.
 */
async function findIn(
	index: SearchIndex,
	given: readonly QueryWord[],
	scope: Scope,
	limit: number,
): Promise<Hit[]> {
	const words = given.slice(0, MOST_WORDS);
	if (words.length === 0) return [];
	const lists = words.map((word) => listsOf(word, scope));
	const asked = lists.flat();
	const share = Math.floor(BUDGET.first / asked.length);
	const most = Math.min(BUDGET.perListAtMost, Math.max(BUDGET.perListAtLeast, share));
	const { answers, oldest } = await index.newest(
		[everything(scope), ...asked.map(({ expression }) => expression)],
		most,
	);
	const [every = [], ...found] = answers;
	const sizeOf = sizing(every[0] ?? 0, oldest, most);
	const entriesOf = new Map(asked.map((list, place) => [list, found[place] ?? []]));
	const read = lists.map((each) =>
		readWord(
			each.map((list) => {
				const entries = entriesOf.get(list) ?? [];
				return { ...list, entries, size: sizeOf(entries), isCut: entries.length >= most };
			}),
		),
	);
	return best(await readFurther(index, read), sizeOf(every), limit);
}

/** How long a list is, from its newest entries: as if it went on like that back to the oldest entry of all. */
function sizing(newest: number, oldest: number, most: number) {
	return (entries: Entries): number => {
		const last = entries.at(-1);
		if (last === undefined || entries.length < most) return entries.length;
		return (entries.length * (newest - oldest + 1)) / (newest - last + 1);
	};
}

function readWord(lists: readonly ReadList[]): ReadWord {
	const sum = (part: List["part"]) =>
		lists.reduce((total, list) => total + (list.part === part ? list.size : 0), 0);
	return { lists, frequency: sum("level"), startFrequency: sum("start") };
}

/** Lists that were cut: those of rarer words to their end, the others where the rarest word stands too. */
async function readFurther(index: SearchIndex, words: readonly ReadWord[]): Promise<readonly ReadWord[]> {
	const commonness = (word: ReadWord) => word.frequency + word.startFrequency;
	const [rarest, ...others] = words
		.filter((word) => commonness(word) > 0)
		.sort((one, other) => commonness(one) - commonness(other));
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
	const { answers } = await index.newest([...asked.values()], BUDGET.second);
	const more = new Map([...asked.keys()].map((list, place) => [list, answers[place] ?? []]));
	return words.map((word) => ({
		...word,
		lists: word.lists.map((list) => ({ ...list, entries: [...list.entries, ...(more.get(list) ?? [])] })),
	}));
}

function best(words: readonly ReadWord[], total: number, limit: number): Hit[] {
	const places = new Map<number, number>();
	for (const { lists } of words) {
		for (const { entries } of lists) {
			for (const seq of entries) if (!places.has(seq)) places.set(seq, places.size);
		}
	}
	const scores = new Float64Array(places.size);
	for (const word of words) addScores(scores, word, places, total);
	// All but a few are left out before the sort that also looks at their age.
	const least = scores.toSorted().at(-limit) ?? 0;
	return [...places]
		.map(([seq, place]) => ({ seq, score: scores[place] as number }))
		.filter(({ score }) => score >= least)
		.sort((one, other) => other.score - one.score || other.seq - one.seq)
		.slice(0, limit);
}

/** A form counts on top of its word's level; a beginning counts where the word itself is not, or counts less. */
function addScores(
	scores: Float64Array,
	{ lists, frequency, startFrequency }: ReadWord,
	places: ReadonlyMap<number, number>,
	total: number,
): void {
	const rarity = rarityOf(frequency, total);
	// As a beginning, and all the more with fewer letters than were given, a word counts no more than as itself.
	const startRarity = Math.min(
		rarityOf(startFrequency, total),
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
		// The entry may have been in a part of its level's list that was not read.
		const level = (levels[place] as number) || (form && 1);
		const start = starts[place] as number;
		scores[place] = (scores[place] as number) + Math.max((level + form) * rarity, start * startRarity);
	}
}

/** Inverse document frequency; never zero, so that a word that is everywhere still finds. */
function rarityOf(frequency: number, total: number): number {
	const known = Math.min(frequency, total);
	return Math.log(1 + (total - known + 0.5) / (known + 0.5));
}
