import type { VectorIndex } from "./vectors.ts";

/** The part of a Vectorize binding that is used. The index must use the cosine metric. */
export interface Vectorize {
	upsert(
		vectors: { readonly id: string; readonly namespace: string; readonly values: readonly number[] }[],
	): Promise<unknown>;
	deleteByIds(ids: string[]): Promise<unknown>;
	query(
		vector: readonly number[],
		options: {
			readonly topK: number;
			readonly namespace: string;
			readonly returnValues: false;
			readonly returnMetadata: "none";
		},
	): Promise<{ readonly matches: readonly { readonly id: string; readonly score: number }[] }>;
}

/** The most matches that Vectorize returns without values and metadata. */
const MAX_MATCHES = 100;

/** A mutation is queued and takes a few seconds; a minute leaves room for a slow one. */
const DELAY_SECONDS = 60;

const BATCH_SIZE = 100;

export function vectorizeIndex(index: Vectorize): VectorIndex {
	return {
		name: "vectorize",
		delaySeconds: DELAY_SECONDS,
		batchSize: BATCH_SIZE,
		async upsert(vectors) {
			await index.upsert(
				vectors.map(({ id, partition, vector }) => ({ id, namespace: partition, values: [...vector] })),
			);
		},
		async remove(ids) {
			await index.deleteByIds([...ids]);
		},
		async query(partition, vector, limit) {
			const { matches } = await index.query([...vector], {
				topK: Math.min(limit, MAX_MATCHES),
				namespace: partition,
				returnValues: false,
				returnMetadata: "none",
			});
			return matches.map(({ id, score }) => ({ id, similarity: score }));
		},
	};
}
