import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { storeMigrations } from "../../src/storage/migrations.ts";
import { type VectorStorage, vectorStorage } from "../../src/storage/vectors.ts";

const database = openSqlite(":memory:");
await migrate(database, storeMigrations);
const asked: Statement[] = [];
const sql: Sql = {
	...database,
	read(each) {
		asked.push(each);
		return database.read(each);
	},
	write(unit) {
		asked.push(...unit);
		return database.write(unit);
	},
};

/** The full table or index scans in the queries of `work`. */
async function listScans(work: (storage: VectorStorage) => Promise<unknown>): Promise<string[]> {
	asked.length = 0;
	await work(vectorStorage(sql));
	const plans = await Promise.all(
		asked.map(({ text, values }) =>
			database.read<{ detail: string }>(statement(`explain query plan ${text}`, ...values)),
		),
	);
	const isBounded = /^SCAN (?:wanted|given|made|placed|chosen|loose|json_each|types|\(|CONSTANT|\d+-ROW)/;
	return plans
		.flat()
		.map(({ detail }) => detail)
		.filter((detail) => detail.startsWith("SCAN") && !isBounded.test(detail));
}

const text = {
	...{ entry: 1, revision: 1, due_at: 1, attempts: 0, owner_id: "o", entry_type: "t" },
	...{ text_hash: null, generation: null, page_name: "p", content: "c" },
};
const group = { owner: "o", entryType: "t", generation: 1, stride: 104, blocks: 1 };

const BOUNDED: Record<string, (storage: VectorStorage) => Promise<unknown>> = {
	claim: (storage) => storage.claim({ now: 1, until: 2, limit: 3, maxCharacters: 4 }),
	keep: (storage) =>
		storage.storeVectors({
			generation: 1,
			dimensions: 2,
			visibleAt: 0,
			vectors: [{ text, text_hash: "h", vector: null }],
		}),
	confirm: (storage) => storage.confirm([text]),
	release: (storage) => storage.release([text], 1),
	fail: (storage) => storage.recordFailures([{ text, retryAt: 1, error: "e" }], 1),
	pack: (storage) => storage.pack(group),
	loose: (storage) => storage.readLoose("o", 1, {}),
	unseen: (storage) => storage.readUnseen("o", 1, {}, 1),
	"block heads": (storage) => storage.listBlockHeads("o", 1, { only: ["t"] }),
	blocks: (storage) => storage.blocks([1]),
	"entries at positions": (storage) => storage.findEntriesAt([[1, 2]]),
	"entries by id": (storage) => storage.findEntriesById("o", 1, {}, ["i"]),
	types: (storage) => storage.listTypes("o"),
};

for (const [name, work] of Object.entries(BOUNDED)) {
	test(`${name}: uses only index lookups`, async () => assert.deepEqual(await listScans(work), []));
}

test("unsent vectors and sparse blocks are read from indexes that hold only those", async () => {
	assert.deepEqual(await listScans((storage) => storage.listUnsent(10)), [
		"SCAN embeddings USING INDEX embeddings_unsent",
	]);
	assert.deepEqual(await listScans((storage) => storage.unpackSparse()), [
		"SCAN vector_blocks USING INDEX vector_blocks_sparse",
	]);
});
