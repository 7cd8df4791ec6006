/**
 * An index of vectors outside the database. It holds copies: what it finds is looked up in the database before it is
 * shown, and it can be filled again from there.
 */
export interface VectorIndex {
	readonly name: string;
	/** Seconds after which a write is sure to be found. */
	readonly delaySeconds: number;
	/** Vectors per call of `upsert` and `remove`. */
	readonly batchSize: number;
	upsert(vectors: readonly IndexedVector[]): Promise<void>;
	remove(ids: readonly string[]): Promise<void>;
	/** The closest of a partition, closest first, with the cosine of the angle. */
	query(partition: string, vector: Float32Array, limit: number): Promise<readonly IndexMatch[]>;
}

export interface IndexedVector {
	readonly id: string;
	/** At most 64 bytes; a query looks into one. */
	readonly partition: string;
	readonly vector: Float32Array;
}

interface IndexMatch {
	readonly id: string;
	readonly similarity: number;
}
