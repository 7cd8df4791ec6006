/** A hit of either search, by the entry's `seq`. */
export interface Hit {
	readonly seq: number;
}

export interface FusedHit {
	readonly seq: number;
	/** From 1 down to 0. Comparable only within one response. */
	readonly score: number;
	readonly by: "words" | "meaning" | "both";
}

/** The usual constant of reciprocal rank fusion, which keeps top ranks from outweighing agreement. */
const RANK_OFFSET = 60;
const WORDS_WEIGHT = 0.6;
const MEANING_WEIGHT = 0.4;

/**
 * Both lists come best first. Word hits rank above hits by meaning, unless a trained model found the latter: then both
 * are weighted by rank. Measured: weighting hits of plain word vectors against word hits makes results worse.
 */
export function fuse(found: {
	readonly words: readonly Hit[];
	readonly nearest: readonly Hit[];
	readonly isModel: boolean;
	readonly limit: number;
}): FusedHit[] {
	const { words, nearest, isModel, limit } = found;
	const wordRanks = toRanks(words);
	const meaningRanks = toRanks(nearest);
	const all = [...new Set([...wordRanks.keys(), ...meaningRanks.keys()])].map((seq) => {
		const byWords = scoreRank(wordRanks.get(seq));
		const byMeaning = scoreRank(meaningRanks.get(seq));
		return {
			seq,
			score: WORDS_WEIGHT * byWords + MEANING_WEIGHT * byMeaning,
			by: pickKind(byWords, byMeaning),
		};
	});
	// The set preserves the order of the two lists, which is the result without a model.
	const ordered = isModel ? all.toSorted((one, other) => other.score - one.score) : all;
	return ordered
		.slice(0, limit)
		.map((hit, place) => ({ ...hit, score: isModel ? hit.score : scoreRank(place) }));
}

const scoreRank = (rank: number | undefined): number =>
	rank === undefined ? 0 : (RANK_OFFSET + 1) / (RANK_OFFSET + 1 + rank);

function pickKind(byWords: number, byMeaning: number): FusedHit["by"] {
	if (byWords > 0) return byMeaning > 0 ? "both" : "words";
	return "meaning";
}

function toRanks(hits: readonly Hit[]): Map<number, number> {
	const ranks = new Map<number, number>();
	for (const [rank, { seq }] of hits.entries()) if (!ranks.has(seq)) ranks.set(seq, rank);
	return ranks;
}
