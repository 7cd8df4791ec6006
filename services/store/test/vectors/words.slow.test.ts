import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { wordEmbedder } from "@tripline/platform/embed.words";
import { embedContract } from "../../../../packages/platform/test/contracts/embed.ts";
import { wordVectors } from "../../src/word-vectors.ts";

const never = new AbortController().signal;

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
	const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
		Array.from(a).reduce((sum, value, at) => sum + value * (b[at] as number), 0);
	return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

describe("word vectors", () => {
	const path = fileURLToPath(wordVectors.file);
	const embedder = wordEmbedder(path);
	const embed = async (...texts: string[]) => (await embedder.embed(texts, never)) as Float32Array[];
	const similarity = async (one: string, other: string) => {
		const [first = [], second = []] = await embed(one, other);
		return cosine(first, second);
	};

	for (const { name, run } of embedContract) test(name, () => run(embedder));

	test("the file has the expected hash", () => {
		assert.equal(createHash("sha256").update(readFileSync(path)).digest("hex"), wordVectors.sha256);
	});

	test("texts on the same subject are closer than texts on different ones", async () => {
		const cat = "The cat rested on the carpet";
		const related = await similarity(cat, "A kitten slept on the rug");
		const unrelated = await similarity(cat, "Quarterly revenue grew by nine percent");
		assert.ok(related > unrelated + 0.3, `${related} ${unrelated}`);
		assert.ok(
			(await similarity("send an e-mail every morning", "daily mail")) >
				(await similarity("send an e-mail every morning", "tropical fish")),
		);
	});

	test("case, the form of accents, punctuation and suffixes after an apostrophe do not matter", async () => {
		const [one, other] = await embed("Don't CAFÉ, (dog's) ﬁne!", "do cafe\u0301 dog fine");
		assert.deepEqual(one, other);
	});

	test("unknown words add nothing; a text of only unknown words has no vector", async () => {
		const [one, other, none, empty] = await embed("dog xqzzkw 漢字", "dog", "漢字 xqzzkw 12345 the of", "");
		assert.deepEqual(one, other);
		for (const vector of [none, empty]) assert.ok(vector?.every((value) => value === 0));
	});

	test("the first and the last word of the file are found", async () => {
		const bytes = readFileSync(path);
		const count = bytes.readUInt32LE(8);
		const wordAt = (index: number) => {
			const at = (nth: number) => bytes.readUInt32LE(20 + nth * 4);
			const start = 20 + (count + 1) * 4;
			return bytes.toString("utf8", start + at(index), start + at(index + 1));
		};
		assert.equal(count, 100_000);
		for (const index of [0, 1, 50_000, count - 2, count - 1]) {
			const [vector] = await embed(wordAt(index));
			assert.ok(
				vector?.some((value) => value !== 0),
				wordAt(index),
			);
		}
	});

	test("a wrong or truncated file is refused", async (context) => {
		for (const [name, content] of [
			["other", Buffer.alloc(1000, 1)],
			["short", readFileSync(path).subarray(0, 5000)],
		] as const) {
			const file = join(tmpdir(), `tripline-words-${process.pid}-${name}`);
			writeFileSync(file, content);
			context.after(() => rmSync(file));
			await assert.rejects(wordEmbedder(file).embed(["dog"], never), /is not a file of|is cut short/);
		}
	});
});
