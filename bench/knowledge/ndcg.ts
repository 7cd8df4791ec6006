/** How many hits of a ranking count. */
export const DEPTH = 10;

export type Relevance = ReadonlyMap<string, number>;

/** The discounted gain of a ranking, relative to that of the best possible one. */
export function computeNdcg(ranked: readonly string[], relevance: Relevance): number {
	const gain = (gains: readonly number[]) =>
		gains.slice(0, DEPTH).reduce((sum, each, place) => sum + each / Math.log2(place + 2), 0);
	const ideal = [...relevance.values()].sort((one, other) => other - one);
	return gain(ranked.map((document) => relevance.get(document) ?? 0)) / gain(ideal);
}

/** How much worse or better PostgreSQL may rank than SQLite. */
export const MAX_NDCG_DIFFERENCE = 0.005;
