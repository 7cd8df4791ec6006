/**
 * A vector index outside the database. It holds copies: matches are looked up in the database before they are returned,
 * and the index can be rebuilt from there.
 */
export interface VectorIndex {
	readonly name: string;
	/** Seconds after which a write is guaranteed to be visible. */
	readonly delaySeconds: number;
	/** Vectors per call of `upsert` and `remove`. */
	readonly batchSize: number;
	upsert(vectors: readonly IndexedVector[]): Promise<void>;
	remove(ids: readonly string[]): Promise<void>;
	/** The closest vectors of a partition, closest first, with their cosine similarity. */
	query(partition: string, vector: Float32Array, limit: number): Promise<readonly IndexMatch[]>;
}

export interface IndexedVector {
	readonly id: string;
	/** At most 64 bytes; a query searches one partition. */
	readonly partition: string;
	readonly vector: Float32Array;
}

interface IndexMatch {
	readonly id: string;
	readonly similarity: number;
}
