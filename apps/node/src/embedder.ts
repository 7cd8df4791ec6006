import { fileURLToPath } from "node:url";
import type { Embedder } from "@tripline/platform/embed";
import { httpEmbedder } from "@tripline/platform/embed.http";
import { wordEmbedder } from "@tripline/platform/embed.words";
import type { EmbedSettings } from "@tripline/store/settings";
import { wordVectors } from "@tripline/store/word-vectors";

export function createEmbedder(settings: EmbedSettings): Embedder | null {
	switch (settings.kind) {
		case "off":
			return null;
		case "built-in":
			return wordEmbedder(fileURLToPath(wordVectors.file));
		case "http":
			return httpEmbedder({ ...settings, fetch });
	}
}
