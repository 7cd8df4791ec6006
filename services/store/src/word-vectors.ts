/** GloVe word vectors, made by scripts/make-word-vectors.ts. */
export const wordVectors = {
	file: new URL("../data/word-vectors.bin", import.meta.url),
	sha256: "685b06ec1fa3f745ea998037972398c3a406fa88e6a262e4c7a310699a6946a0",
} as const;
