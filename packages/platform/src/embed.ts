/**
 * Turns texts into vectors whose angles tell how close the texts are in meaning. Vectors of different providers,
 * models or dimensions say nothing about each other.
 */
export interface Embedder {
	readonly provider: string;
	readonly model: string;
	/** Null where only the first answer tells. */
	readonly dimensions: number | null;
	/** A trained model of texts, good enough to be weighed against word hits; word vectors may only add to them. */
	readonly isModel: boolean;
	/** Texts per call. */
	readonly batchSize: number;
	/** Longer texts are cut. */
	readonly maxCharacters: number;
	/**
	 * A vector per text, in order; null where the provider refuses that text, all zeroes where it knows nothing of it.
	 * Throws `EmbedUnavailable` when it cannot answer now.
	 */
	embed(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]>;
}

/** The provider cannot answer now. The message is shown in the status: never a key, a URL or what a server sent. */
export class EmbedUnavailable extends Error {
	override readonly name = "EmbedUnavailable";
}
