/**
 * Converts texts to vectors whose angles measure similarity in meaning. Vectors of different providers, models or
 * dimensions cannot be compared.
 */
export interface Embedder {
	readonly provider: string;
	readonly model: string;
	/** Null if it is known only after the first response. */
	readonly dimensions: number | null;
	/** Whether it is a trained text model that can be weighed against word hits; word vectors may only add to them. */
	readonly isModel: boolean;
	/** Texts per call. */
	readonly batchSize: number;
	/** Longer texts are truncated. */
	readonly maxCharacters: number;
	/**
	 * Returns a vector per text, in order: null if the provider rejects the text, all zeros if it knows none of its words.
	 * Throws `EmbedUnavailable` if the provider cannot answer now.
	 */
	embed(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]>;
}

/** The provider cannot answer now. The message is public in the status, so it must not contain a key, a URL or a response. */
export class EmbedUnavailable extends Error {
	override readonly name = "EmbedUnavailable";
}
