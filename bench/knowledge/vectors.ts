import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { uuidv7 } from "@tripline/contract/ids";
import { systemClock } from "@tripline/platform/clock";
import { wordEmbedder } from "@tripline/platform/embed.words";
import { statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { vectorStorage } from "@tripline/store/storage/vectors";
import { getStoredLength, quantise } from "@tripline/store/vectors/quantise";
import { semanticIndex } from "@tripline/store/vectors/semantic-index";
import { wordVectors } from "@tripline/store/word-vectors";
import { copyCachedDatabase } from "../cached-database.ts";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { randomNumbers } from "../store/data.ts";

const VECTORS = 100_000;
const DIMENSIONS = 100;
const PER_BLOCK = 630;
const OWNER = "acme";
const ROUNDS = 11;
const QUERIES = 10;
const TEXTS = 200;
/** Natural text with repeated words. */
const TEXT =
	readGuide()
		.match(/\p{L}+/gu)
		?.slice(0, 100)
		.join(" ") ?? "";

const embedder = () => wordEmbedder(fileURLToPath(wordVectors.file));

function readGuide(): string {
	return readFileSync(new URL("../../docs/guides/store.md", import.meta.url), "utf8");
}

/** Full blocks and single remaining vectors, as embedding one by one leaves them. */
function fill(database: DatabaseSync): void {
	const { provider, model } = embedder();
	database
		.prepare("insert into embed_generations values (1, ?, ?, ?, '', null)")
		.run(provider, model, DIMENSIONS);
	const entry = database.prepare(
		`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at)
		values (?, 'note', ?, ?, '', '{"embed":true}', 1, 1)`,
	);
	const place = database.prepare(
		`update embeddings set due_at = null, generation = 1, visible_at = 0, vector = ?2, block = ?3, position = ?4
		where entry = ?1`,
	);
	const block = database.prepare(
		`insert into vector_blocks (owner_id, entry_type, generation, stride, capacity, live, vectors)
		values (?, 'note', 1, ?, ?, ?, ?)`,
	);
	const random = randomNumbers(7);
	const stride = getStoredLength(DIMENSIONS);
	const gathered = new Uint8Array(PER_BLOCK * stride);
	for (let index = 0; index < VECTORS; index++) {
		entry.run(uuidv7(index), OWNER, `page ${index}`);
		const vector = quantise(Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5)) as Uint8Array;
		const position = index % PER_BLOCK;
		const nth = Math.floor(index / PER_BLOCK) + 1;
		gathered.set(vector, position * stride);
		if (nth * PER_BLOCK > VECTORS) place.run(index + 1, vector, null, null);
		else place.run(index + 1, null, nth, position);
		if (position === PER_BLOCK - 1) block.run(OWNER, stride, PER_BLOCK, PER_BLOCK, gathered);
	}
}

/** A semantic search, against only reading the same blocks. */
export async function vectors(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress(`search among ${VECTORS} vectors (made once, then kept in bench/data)`);
	using folder = scratchFolder();
	const path = await copyCachedDatabase(
		{ name: `vectors-${VECTORS}`, filledBy: import.meta.filename, fill },
		folder.path,
	);
	const sql = openSqlite(path);
	const bare = new DatabaseSync(path);
	const [cache] = await sql.read<{ cache_size: number }>(statement("pragma cache_size"));
	bare.exec(`pragma cache_size = ${cache?.cache_size}`);
	const blocks = bare.prepare("select vectors from vector_blocks where owner_id = ? order by id");
	const words = embedder();
	const openIndex = () =>
		semanticIndex({
			storage: vectorStorage(sql),
			embedder: words,
			index: null,
			background: { run() {} },
			clock: systemClock,
			log() {},
			rounds: 1,
		});
	const search = (semantic: () => ReturnType<typeof openIndex>) =>
		compare({
			rounds: ROUNDS,
			floor: () => ({
				calls: QUERIES,
				run() {
					for (let nth = 0; nth < QUERIES; nth++) for (const _ of blocks.iterate(OWNER)) void _;
				},
			}),
			ours: () => ({
				calls: QUERIES,
				async run() {
					for (let nth = 0; nth < QUERIES; nth++) {
						const found = await semantic().findNearest(OWNER, "green tea in the morning", 20, {});
						if (found.length !== 20) throw new Error(`${found.length} found`);
					}
				},
			}),
		});
	try {
		const kept = openIndex();
		const again = await search(() => kept);
		const first = await search(openIndex);
		onProgress("word vectors");
		const signal = new AbortController().signal;
		const embedding = await compare({
			rounds: ROUNDS,
			floor: () => ({
				calls: TEXTS,
				run() {
					for (let nth = 0; nth < TEXTS; nth++) TEXT.toLowerCase().match(/[\p{L}\p{N}]+/gu);
				},
			}),
			ours: () => ({
				calls: TEXTS,
				async run() {
					for (let nth = 0; nth < TEXTS; nth++) await words.embed([TEXT], signal);
				},
			}),
		});
		return [
			{
				what: `nearest 20 of ${VECTORS} x ${DIMENSIONS} / reading them`,
				unit: "µs",
				...again,
				bar: { on: "ours", most: 15_000 },
			},
			{ what: "the same with nothing kept in memory", unit: "µs", ...first },
			{
				what: "embedding a text of 100 words / finding its words",
				unit: "µs",
				...embedding,
				bar: { on: "ours", most: 250 },
			},
		];
	} finally {
		sql.close();
		bare.close();
	}
}
