import { openSync, readSync } from "node:fs";
import type { Embedder } from "./embed.ts";

export const WORD_VECTORS = {
	magic: 0x5657_4c54,
	version: 1,
	headerBytes: 20,
	/** Size of a word's weight, which precedes its vector. */
	weightBytes: 4,
} as const;

const MODEL = "glove-100d-top-100k";
const DIMENSIONS = 100;
const BATCH_SIZE = 16;
const MAX_CHARACTERS = 20_000;

/**
 * Word vectors from a file: a text's vector is the weighted sum of its words' vectors. Only the sorted list of words is
 * kept in memory (1.3 MB); a word's vector is read from the file on demand, which takes a microsecond.
 */
export function wordEmbedder(file: string): Embedder {
	let words: WordFile | undefined;
	return {
		provider: "words",
		model: MODEL,
		dimensions: DIMENSIONS,
		isModel: false,
		batchSize: BATCH_SIZE,
		maxCharacters: MAX_CHARACTERS,
		async embed(texts) {
			words ??= openWordFile(file);
			const { addTo } = words;
			return texts.map((text) => {
				const sum = new Float32Array(DIMENSIONS);
				for (const [word, count] of countWords(text)) addTo(sum, word, count);
				return sum;
			});
		},
	};
}

interface WordFile {
	/** Adds the word's weighted vector `times` times; does nothing for a word that is not in the file. */
	addTo(sum: Float32Array, word: string, times: number): void;
}

function openWordFile(path: string): WordFile {
	const file = openSync(path, "r");
	const read = (length: number, position: number): Buffer => {
		const bytes = Buffer.allocUnsafeSlow(length);
		if (readSync(file, bytes, 0, length, position) !== length) throw new Error(`${path} is cut short`);
		return bytes;
	};
	const header = read(WORD_VECTORS.headerBytes, 0);
	const field = (index: number) => header.readUInt32LE(index * 4);
	if (field(0) !== WORD_VECTORS.magic || field(1) !== WORD_VECTORS.version || field(3) !== DIMENSIONS) {
		throw new Error(`${path} is not a file of word vectors that this version reads`);
	}
	const count = field(2);
	const wordsStart = WORD_VECTORS.headerBytes + (count + 1) * 4;
	// The file is little-endian, like every machine that Node runs on.
	const offsets = new Uint32Array(read((count + 1) * 4, WORD_VECTORS.headerBytes).buffer);
	const words = read(field(4), wordsStart);
	const rowsStart = wordsStart + words.length;
	const row = Buffer.allocUnsafeSlow(WORD_VECTORS.weightBytes + DIMENSIONS);
	const vector = new Int8Array(row.buffer, WORD_VECTORS.weightBytes);

	return {
		addTo(sum, word, times) {
			const index = find(Buffer.from(word));
			if (index === -1) return;
			readSync(file, row, 0, row.length, rowsStart + index * row.length);
			const weight = row.readFloatLE(0) * times;
			for (let dimension = 0; dimension < DIMENSIONS; dimension++) {
				sum[dimension] = (sum[dimension] as number) + (vector[dimension] as number) * weight;
			}
		},
	};

	function find(word: Buffer): number {
		let low = 0;
		let high = count - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const order = compare(word, offsets[middle] as number, offsets[middle + 1] as number);
			if (order === 0) return middle;
			if (order > 0) low = middle + 1;
			else high = middle - 1;
		}
		return -1;
	}

	/** Faster than `Buffer.compare`, because most words differ in their first bytes. */
	function compare(word: Buffer, start: number, end: number): number {
		const shared = Math.min(word.length, end - start);
		for (let at = 0; at < shared; at++) {
			const difference = (word[at] as number) - (words[start + at] as number);
			if (difference !== 0) return difference;
		}
		return word.length - (end - start);
	}
}

/** Counts lowercase runs of letters and digits. Suffixes after an apostrophe ('s, n't) carry no meaning and are dropped. */
function countWords(text: string): Map<string, number> {
	const counts = new Map<string, number>();
	const plain = text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/n?['’]\p{L}{1,2}(?!\p{L})/gu, " ");
	for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}
