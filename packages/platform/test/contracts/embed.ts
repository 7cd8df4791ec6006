import assert from "node:assert/strict";
import type { Embedder } from "../../src/embed.ts";
import type { ContractCase } from "./contract.ts";

const never = new AbortController().signal;
const texts = ["green tea in the morning", "quarterly revenue", "a kitten on the rug"];

export const embedContract: readonly ContractCase<Embedder>[] = [
	{
		name: "describes itself and its limits",
		async run(embedder) {
			assert.match(embedder.provider, /^[a-z-]+$/);
			assert.notEqual(embedder.model, "");
			assert.ok(embedder.batchSize >= 1 && embedder.maxCharacters >= 1000);
		},
	},
	{
		name: "returns a vector per text, in order, with its stated dimensions",
		async run(embedder) {
			const together = await embedder.embed(texts, never);
			assert.equal(together.length, texts.length);
			for (const [index, text] of texts.entries()) {
				const [alone] = await embedder.embed([text], never);
				assert.deepEqual(together[index], alone);
				assert.ok(alone instanceof Float32Array && alone.some((value) => value !== 0));
				assert.equal(alone.length, embedder.dimensions ?? alone.length);
			}
			assert.notDeepEqual(together[0], together[1]);
		},
	},
	{
		name: "accepts a full batch of the longest texts in any script",
		async run(embedder) {
			const long = "tea 茶 🍵 "
				.repeat(embedder.maxCharacters)
				.slice(0, embedder.maxCharacters)
				.toWellFormed();
			const vectors = await embedder.embed(new Array<string>(embedder.batchSize).fill(long), never);
			assert.equal(vectors.length, embedder.batchSize);
			assert.ok(vectors.every((vector) => vector !== null));
		},
	},
];
