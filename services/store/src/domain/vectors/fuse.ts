/** A hit of either search, by the entry's `seq`; both lists come best first. */
export interface Hit {
	readonly seq: number;
}

export interface FusedHit {
	readonly seq: number;
	/** 0 to 1, falling. Comparable within one answer only. */
	readonly score: number;
	readonly by: "words" | "meaning" | "both";
}

/** How much a rank counts: the usual constant, which keeps the first few from outweighing agreement. */
const RANK_OFFSET = 60;
const WORDS_WEIGHT = 0.6;
const MEANING_WEIGHT = 0.4;

/**
 * Word hits first and what is only close in meaning below them, unless a trained model found the latter: then both lists
 * are weighed by rank. Word vectors weighed against word hits make the result worse; measured.
 */
export function fuse(found: {
	readonly words: readonly Hit[];
	readonly nearest: readonly Hit[];
	readonly isModel: boolean;
	readonly limit: number;
}): FusedHit[] {
	const { words, nearest, isModel, limit } = found;
	const wordRanks = ranksOf(words);
	const meaningRanks = ranksOf(nearest);
	const all = [...new Set([...wordRanks.keys(), ...meaningRanks.keys()])].map((seq) => {
		const byWords = share(wordRanks.get(seq));
		const byMeaning = share(meaningRanks.get(seq));
		return {
			seq,
			score: WORDS_WEIGHT * byWords + MEANING_WEIGHT * byMeaning,
			by: kindOf(byWords, byMeaning),
		};
	});
	// The set keeps the order of the two lists, which is the order without a model.
	const ordered = isModel ? all.toSorted((one, other) => other.score - one.score) : all;
	return ordered.slice(0, limit).map((hit, place) => ({ ...hit, score: isModel ? hit.score : share(place) }));
}

const share = (rank: number | undefined): number =>
	rank === undefined ? 0 : (RANK_OFFSET + 1) / (RANK_OFFSET + 1 + rank);

function kindOf(byWords: number, byMeaning: number): FusedHit["by"] {
	if (byWords > 0) return byMeaning > 0 ? "both" : "words";
	return "meaning";
}

function ranksOf(hits: readonly Hit[]): Map<number, number> {
	const ranks = new Map<number, number>();
	for (const [rank, { seq }] of hits.entries()) if (!ranks.has(seq)) ranks.set(seq, rank);
	return ranks;
}
