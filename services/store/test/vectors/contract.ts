import assert from "node:assert/strict";
import { uuidv7 } from "@tripline/contract/ids";
import { migrate } from "@tripline/platform/migrations";
import { type Sql, statement } from "@tripline/platform/sql";
import type { ClaimedText } from "../../src/storage/embed-work.ts";
import { entryStorage } from "../../src/storage/entries.ts";
import { chooseStoreMigrations } from "../../src/storage/postgres/migrations.ts";
import { vectorStorage } from "../../src/storage/vectors.ts";
import { blockCache } from "../../src/vectors/block-cache.ts";
import { createKernel } from "../../src/vectors/kernel.ts";
import { findNearestByScan } from "../../src/vectors/nearest.ts";
import { getStoredLength, quantise } from "../../src/vectors/quantise.ts";

export interface VectorCase {
	readonly name: string;
	run(world: VectorWorld): Promise<void>;
}

type VectorWorld = Awaited<ReturnType<typeof openVectorWorld>>;

const EMBED = '{"embed":true}';
const NOW = 1_800_000_000;
const DIMENSIONS = 1_000;
const KIND = { provider: "test", model: "one", dimensions: DIMENSIONS, vector_index: "" };
const ALL = {};

/** A store's database with vectors; sixty-five vectors of a thousand dimensions fill a block. */
export async function openVectorWorld(sql: Sql) {
	await migrate(sql, chooseStoreMigrations(sql));
	const entries = entryStorage(sql);
	const storage = vectorStorage(sql);
	// One cache for the whole case: it must never hide later writes.
	const cache = blockCache(storage.blocks);
	const kernel = createKernel();
	const entry = (fields: object = {}) => ({
		id: uuidv7(NOW * 1000),
		entry_type: "note",
		owner_id: "owner",
		page_name: "page",
		content: "text",
		metadata_json: EMBED,
		now: NOW,
		...fields,
	});
	const claim = (now = NOW, limit = 1000) =>
		storage.claim({ now, until: now + 60, limit, maxCharacters: 100 });
	const claimOne = async (now = NOW): Promise<ClaimedText> => {
		const [text, ...more] = await claim(now, 2);
		assert.ok(text !== undefined && more.length === 0);
		return text;
	};
	const readPageName = async (seq: number) => {
		const [row] = await sql.read<{ page_name: string }>(
			statement("select page_name from entries where seq = ?1", seq),
		);
		return row?.page_name;
	};
	return {
		sql,
		entries,
		storage,
		entry,
		claim,
		claimOne,
		/** Stores the vector of a direction for a text. */
		keepOne: (generation: number, text: ClaimedText, nth: number, visibleAt: number | null = 0) =>
			storage.storeVectors({
				generation,
				dimensions: DIMENSIONS,
				visibleAt,
				vectors: [{ text, text_hash: "hash", vector: quantise(buildDirection(nth)) }],
			}),
		rows: () => sql.read<Record<string, unknown>>(statement("select * from embeddings order by entry")),
		blocks: () =>
			sql.read<{ id: number; live: number; capacity: number; vectors: Uint8Array }>(
				statement("select * from vector_blocks order by id"),
			),
		async begin(kind: Partial<typeof KIND> = {}) {
			await storage.beginGeneration({ ...KIND, ...kind });
			return (await storage.generation())?.id ?? 0;
		},
		/** Creates entries `first` to `last`, each with a vector of its own direction. */
		async fill(generation: number, first: number, last: number, fields: object = {}) {
			const rows = Array.from({ length: last - first + 1 }, (_, index) =>
				entry({ page_name: `page ${first + index}`, ...fields }),
			);
			await Promise.all(rows.map((row) => entries.upsert(row)));
			const texts = await claim();
			await storage.storeVectors({
				generation,
				dimensions: DIMENSIONS,
				visibleAt: 0,
				vectors: texts.map((text) => ({
					text,
					text_hash: text.page_name,
					vector: quantise(buildDirection(Number(text.page_name.slice(5)))),
				})),
			});
		},
		pack: (generation: number, blocks = 10) =>
			storage.pack({
				owner: "owner",
				entryType: "note",
				generation,
				stride: getStoredLength(DIMENSIONS),
				blocks,
			}),
		/** The pages closest to the direction of a page, closest first. */
		async near(generation: number, nth: number, limit = 1) {
			const vector = quantise(buildDirection(nth)) as Uint8Array;
			const query = { owner: "owner", generation, types: ALL, vector, limit };
			return Promise.all(
				(await findNearestByScan(storage, cache, kernel, query)).map(({ seq }) => readPageName(seq)),
			);
		},
	};
}

/** Mostly one dimension with a little of the next, so that neighbours are close. */
function buildDirection(nth: number): Float32Array {
	const vector = new Float32Array(DIMENSIONS);
	vector[nth % DIMENSIONS] = 1;
	vector[(nth + 1) % DIMENSIONS] = 0.5;
	return vector;
}

export const vectorContract: readonly VectorCase[] = [
	{
		name: "a truthy embed marks an entry, however it is written",
		async run({ entries, entry, rows, sql }) {
			const truthy = ["true", "1", "-0.5", '"yes"', '"0"', '"false"', "{}", "[]"];
			const falsy = ["false", "null", "0", "0.0", '""'];
			for (const [index, value] of [...truthy, ...falsy].entries()) {
				const metadata_json = `{"embed": ${value}}`;
				await entries.upsert(entry({ page_name: `put ${index}`, metadata_json }));
				await entries.append(entry({ page_name: `post ${index}`, metadata_json }));
			}
			await entries.append(entry({ metadata_json: '{"other": {"embed": true}}' }));
			await entries.append(entry({ entry_type: "execution_log" }));
			const marked = await rows();
			assert.equal(marked.length, truthy.length * 2);
			assert.ok(marked.every((row) => row.due_at === NOW && row.owner_id === "owner"));
			const [log] = await sql.read<{ count: number }>(
				statement("select count(*) as count from embeddings where entry_type = 'execution_log'"),
			);
			assert.equal(log?.count, 0);
		},
	},
	{
		name: "a record's slot named embed does not mark it",
		async run({ entries, entry, rows, sql }) {
			await sql.write([statement("insert into templates values (1, 't', '', 'n', '[]', 0, 0)")]);
			const { id } = await entries.append(entry({ entry_type: "value", template_id: "t" }));
			await sql.write([
				statement("update entries set metadata_json = ?2 where id = ?1", id, '{"embed":true,"a":1}'),
			]);
			assert.deepEqual(await rows(), []);
		},
	},
	{
		name: "unchanged content is not marked again, changed content is",
		async run({ entries, entry, rows, fill, begin }) {
			await fill(await begin(), 1, 1);
			await entries.upsert(entry({ page_name: "page 1", metadata_json: '{"embed":true,"more":1}' }));
			assert.equal((await rows())[0]?.due_at, null);
			await entries.upsert(entry({ page_name: "page 1", content: "other", now: NOW + 5 }));
			assert.equal((await rows())[0]?.due_at, NOW + 5);
		},
	},
	{
		name: "an entry that gets embed later is marked then",
		async run({ entries, entry, rows }) {
			await entries.upsert(entry({ metadata_json: "{}" }));
			assert.equal((await rows()).length, 0);
			await entries.upsert(entry());
			assert.equal((await rows()).length, 1);
		},
	},
	{
		name: "removing embed or the entry deletes the vector, in a block or not",
		async run({ entries, entry, rows, fill, begin, pack, blocks, near: findNear }) {
			const generation = await begin();
			await fill(generation, 1, 65);
			await pack(generation);
			await fill(generation, 66, 67);
			assert.equal((await blocks())[0]?.live, 65);
			const { items } = await entries.list({ owner_id: "owner", limit: 100 });
			const findId = (page: string) => items.find((item) => item.page_name === page)?.id ?? "";
			await entries.upsert(entry({ page_name: "page 10", metadata_json: '{"embed":false}' }));
			await entries.upsert(entry({ page_name: "page 66", metadata_json: "{}" }));
			assert.equal(await entries.delete(findId("page 20"), "owner"), true);
			assert.equal(await entries.delete(findId("page 67"), "owner"), true);
			assert.equal((await rows()).length, 63);
			const [block] = await blocks();
			assert.equal(block?.live, 63);
			const stride = getStoredLength(DIMENSIONS);
			const readBytes = (place: number) =>
				Uint8Array.from(block?.vectors ?? []).subarray(place * stride, (place + 1) * stride);
			for (const place of [9, 19]) assert.ok(readBytes(place).every((byte) => byte === 0));
			for (const place of [8, 10, 18, 20, 64]) assert.ok(readBytes(place).some((byte) => byte !== 0));
			assert.equal(block?.vectors.length, 65 * stride);
			for (const page of [10, 20, 66, 67])
				assert.ok(!(await findNear(generation, page)).includes(`page ${page}`));
			for (const page of [9, 11, 65]) assert.deepEqual(await findNear(generation, page), [`page ${page}`]);
		},
	},
	{
		name: "a vector is stored only for the text it was made from",
		async run({ entries, entry, claimOne, keepOne: storeOne, rows, begin }) {
			const generation = await begin();
			await entries.upsert(entry());
			const text = await claimOne();
			assert.equal(text.page_name, "page");
			assert.equal(text.content, "text");
			await entries.upsert(entry({ content: "changed meanwhile", now: NOW + 1 }));
			await storeOne(generation, text, 1);
			const [row] = await rows();
			assert.equal(row?.vector, null);
			assert.equal(row?.due_at, NOW + 1);
		},
	},
	{
		name: "the vector of a deleted entry is not stored for the next one, even if that has its sequence number",
		async run({ entries, entry, claimOne, keepOne: storeOne, rows, begin }) {
			const generation = await begin();
			const { entry: first } = await entries.upsert(entry({ page_name: "first" }));
			const text = await claimOne();
			await entries.delete(first.id, "owner");
			await entries.upsert(entry({ page_name: "second" }));
			await storeOne(generation, text, 1);
			const [row] = await rows();
			assert.deepEqual([row?.vector, row?.due_at], [null, NOW]);
		},
	},
	{
		name: "only due texts are claimed, and nobody else gets them until the claim expires",
		async run({ entries, entry, claim }) {
			await entries.upsert(entry());
			assert.equal((await claim(NOW - 1)).length, 0);
			assert.equal((await claim()).length, 1);
			assert.equal((await claim()).length, 0);
			assert.equal((await claim(NOW + 60)).length, 1);
		},
	},
	{
		name: "long content is truncated when it is read",
		async run({ entries, entry, claim }) {
			await entries.upsert(entry({ content: "🧵".repeat(500) }));
			assert.equal((await claim())[0]?.content, "🧵".repeat(100));
		},
	},
	{
		name: "a failure is reported with its time and cleared by the next success",
		async run({ entries, entry, claim, claimOne, keepOne: storeOne, storage, begin }) {
			const generation = await begin();
			await entries.upsert(entry());
			assert.deepEqual(await storage.countTexts(), { pending: 1, done: 0, failed: 0, last_error: null });
			const text = await claimOne();
			await storage.recordFailures([{ text, retryAt: NOW + 60, error: "gone" }], NOW);
			assert.deepEqual(await storage.countTexts(), {
				pending: 0,
				done: 0,
				failed: 1,
				last_error: { message: "gone", time: NOW },
			});
			assert.equal((await claim(NOW + 59)).length, 0);
			const again = await claimOne(NOW + 60);
			assert.equal(again.attempts, 1);
			await storeOne(generation, again, 1);
			assert.deepEqual(await storage.countTexts(), { pending: 0, done: 1, failed: 0, last_error: null });
		},
	},
	{
		name: "a late failure does not undo another process's result",
		async run({ entries, entry, claimOne, keepOne: storeOne, storage, begin }) {
			const generation = await begin();
			await entries.upsert(entry());
			const late = await claimOne();
			const other = await claimOne(NOW + 60);
			await storage.recordFailures([{ text: late, retryAt: NOW + 600, error: "late" }], NOW + 61);
			await storage.release([late], NOW + 61);
			assert.equal((await storage.countTexts()).pending, 1);
			await storeOne(generation, other, 1);
			await storage.recordFailures([{ text: late, retryAt: NOW + 600, error: "late" }], NOW + 62);
			assert.deepEqual(await storage.countTexts(), { pending: 0, done: 1, failed: 0, last_error: null });
		},
	},
	{
		name: "vectors are packed into full blocks and found before and after",
		async run({ fill, begin, pack, blocks, storage, near: findNear, rows }) {
			const generation = await begin();
			await fill(generation, 1, 140);
			const before = await findNear(generation, 100, 3);
			assert.equal(before[0], "page 100");
			await pack(generation);
			assert.deepEqual(
				(await blocks()).map(({ live, vectors }) => [live, vectors.length]),
				[
					[65, 65 * getStoredLength(DIMENSIONS)],
					[65, 65 * getStoredLength(DIMENSIONS)],
				],
			);
			assert.equal((await storage.readLoose("owner", generation, ALL)).entries.length, 10);
			assert.deepEqual((await findNear(generation, 100, 3)).toSorted(), before.toSorted());
			for (const page of [1, 65, 66, 130, 131, 140]) {
				assert.deepEqual(await findNear(generation, page), [`page ${page}`]);
			}
			const placed = (await rows()).filter((row) => row.block !== null);
			assert.equal(new Set(placed.map((row) => `${row.block}:${row.position}`)).size, 130);
		},
	},
	{
		name: "an entry that is embedded again leaves its block",
		async run({ entries, entry, fill, begin, pack, blocks, claimOne, keepOne: storeOne, near: findNear }) {
			const generation = await begin();
			await fill(generation, 1, 65);
			await pack(generation);
			await entries.upsert(entry({ page_name: "page 7", content: "now about 500" }));
			assert.deepEqual(await findNear(generation, 7), ["page 7"]);
			await storeOne(generation, await claimOne(), 500);
			assert.deepEqual(await findNear(generation, 500), ["page 7"]);
			assert.ok(!(await findNear(generation, 7)).includes("page 7"));
			assert.equal((await blocks())[0]?.live, 64);
		},
	},
	{
		name: "a sparse block is dissolved, an empty one deleted",
		async run({ entries, fill, begin, pack, blocks, storage, near: findNear }) {
			const generation = await begin();
			await fill(generation, 1, 130);
			await pack(generation);
			const { items } = await entries.list({ owner_id: "owner", limit: 200 });
			const remove = async (first: number, last: number) => {
				for (const item of items) {
					const nth = Number(item.page_name.slice(5));
					if (nth >= first && nth <= last) await entries.delete(item.id, "owner");
				}
			};
			await remove(1, 65);
			assert.deepEqual(
				(await blocks()).map(({ live }) => live),
				[65],
			);
			await remove(66, 97);
			await storage.unpackSparse();
			assert.equal((await blocks()).length, 1);
			await remove(98, 99);
			await storage.unpackSparse();
			assert.deepEqual(await blocks(), []);
			const loose = await storage.readLoose("owner", generation, ALL);
			assert.equal(loose.entries.length, 31);
			assert.equal(loose.vectors.length, 31 * getStoredLength(DIMENSIONS));
			for (const page of [100, 130]) assert.deepEqual(await findNear(generation, page), [`page ${page}`]);
		},
	},
	{
		name: "another model starts a generation: old vectors are not compared, and all become due again in steps",
		async run({ fill, begin, pack, storage, near: findNear, claim, blocks }) {
			const first = await begin();
			await fill(first, 1, 70);
			await pack(first);
			assert.equal(await begin(), first);
			const second = await begin({ model: "two" });
			assert.ok(second > first);
			assert.deepEqual(await findNear(second, 5), []);
			assert.equal((await claim()).length, 0);
			for (let step = 0; step < 5; step++) await storage.sweep(second, NOW);
			assert.equal((await storage.generation())?.swept_to, null);
			assert.deepEqual(await blocks(), []);
			assert.equal((await claim()).length, 70);
			assert.deepEqual(await storage.countTexts(), { pending: 70, done: 0, failed: 0, last_error: null });
			assert.deepEqual(await findNear(first, 5), []);
		},
	},
	{
		name: "a vector of an earlier generation is not stored",
		async run({ entries, entry, claimOne, keepOne: storeOne, rows, begin }) {
			const first = await begin();
			await entries.upsert(entry());
			const text = await claimOne();
			await begin({ model: "two" });
			await storeOne(first, text, 1);
			assert.equal((await rows())[0]?.vector, null);
		},
	},
	{
		name: "a search covers only the owner's entries of the given types",
		async run({ fill, begin, storage }) {
			const generation = await begin();
			await fill(generation, 1, 2);
			await fill(generation, 3, 4, { entry_type: "workflow" });
			await fill(generation, 5, 6, { owner_id: "other" });
			const count = async (types: object) =>
				(await storage.readLoose("owner", generation, types)).entries.length;
			assert.equal(await count({}), 4);
			assert.equal(await count({ only: ["workflow"] }), 2);
			assert.equal(await count({ except: ["workflow", "value"] }), 2);
			assert.equal(await count({ only: [] }), 0);
			assert.deepEqual(await storage.listTypes("owner"), ["note", "workflow"]);
		},
	},
	{
		name: "vectors that the external index lacks, may not show yet or must remove are tracked",
		async run({ entries, entry, claimOne, keepOne: storeOne, storage, begin }) {
			const generation = await begin({ vector_index: "outside" });
			const { entry: stored } = await entries.upsert(entry());
			const text = await claimOne();
			await storeOne(generation, text, 3, null);
			const unseen = async (now: number) =>
				(await storage.readUnseen("owner", generation, ALL, now)).entries.length;
			const unsent = await storage.listUnsent(10);
			assert.deepEqual(
				unsent.map(({ external_id, vector }) => [external_id, [...vector]]),
				[[stored.id, [...(quantise(buildDirection(3)) ?? [])]]],
			);
			assert.equal(await unseen(NOW), 1);
			await storage.markSent(unsent, NOW + 60);
			assert.deepEqual(await storage.listUnsent(10), []);
			assert.equal(await unseen(NOW + 59), 1);
			assert.equal(await unseen(NOW + 60), 0);
			const found = await storage.findEntriesById("owner", generation, { only: ["note"] }, [
				stored.id,
				"nobody",
			]);
			assert.deepEqual([...found], [[stored.id, text.entry]]);
			assert.equal((await storage.findEntriesById("other", generation, ALL, [stored.id])).size, 0);
			await entries.delete(stored.id, "owner");
			assert.deepEqual(await storage.listRemovals(10), [stored.id]);
			await storage.deleteRemovals([stored.id]);
			assert.deepEqual(await storage.listRemovals(10), []);
			assert.equal((await storage.findEntriesById("owner", generation, ALL, [stored.id])).size, 0);
		},
	},
];
