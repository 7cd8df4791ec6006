import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { uuidv7 } from "@tripline/contract/ids";
import { type Sql, statement } from "@tripline/platform/sql";
import fc from "fast-check";
import { openMigrated } from "../../../../packages/platform/test/open-migrated.ts";
import { findHits } from "../../src/domain/search/find.ts";
import { parseQuery, type Scope } from "../../src/domain/search/query.ts";
import { entryStorage } from "../../src/storage/entries.ts";
import { storeMigrations } from "../../src/storage/migrations.ts";
import { searchStorage } from "../../src/storage/search.ts";

async function openDatabase(context?: TestContext) {
	const sql = await openMigrated(storeMigrations);
	context?.after(() => sql.close());
	return { sql, entries: entryStorage(sql), search: searchStorage(sql) };
}

const entry = (page_name: string, content: string, entry_type = "note") => ({
	id: uuidv7(Date.now()),
	entry_type,
	owner_id: "o",
	page_name,
	content,
	metadata_json: "{}",
	now: 1,
});

const knowledge: Scope = { owner_id: "o", area: "knowledge" };

async function findIds(sql: Sql, q: string): Promise<string[]> {
	const search = searchStorage(sql);
	const hits = await findHits(search.index, parseQuery(`${q} `), knowledge, 1000);
	const rows = await search.read(
		"o",
		hits.map(({ seq }) => seq),
	);
	return rows.map(({ id }) => id).sort();
}

const countRows = async (sql: Sql, what: string): Promise<number> => {
	const [row] = await sql.read<{ count: number }>(statement(`select count(*) as count from ${what}`));
	return row?.count ?? 0;
};

const assertSound = (sql: Sql) =>
	sql.write([statement("insert into search (search) values ('integrity-check')")]);

/** A value that changes with every write to the index. */
const readIndexState = async (sql: Sql) =>
	sql.read(statement("select hex(block) as block from search_data order by id"));

describe("the index and the entries", () => {
	test("stay consistent through any writes, single and batched", async (context) => {
		const words = ["ant", "bee", "cat", "dog"];
		const page = fc.constantFrom("one", "two", "three");
		const content = fc.subarray(words).map((chosen) => chosen.join(" "));
		const type = fc.constantFrom("note", "task", "value", "execution_log");
		const change = fc.oneof(
			fc.record({ kind: fc.constant("upsert" as const), page, content, type }),
			fc.record({ kind: fc.constant("append" as const), page, content, type }),
			fc.record({ kind: fc.constant("delete" as const), nth: fc.nat(8) }),
			fc.record({ kind: fc.constant("sweep" as const) }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 8 }), async (moments) => {
				const { sql, entries, search } = await openDatabase();
				try {
					for (const moment of moments) {
						const ids = (await entries.list({ owner_id: "o", limit: 100 })).items.map(({ id }) => id);
						await Promise.all(
							moment.map(async (each) => {
								if (each.kind === "upsert") await entries.upsert(entry(each.page, each.content, each.type));
								if (each.kind === "append") await entries.append(entry(each.page, each.content, each.type));
								if (each.kind === "delete" && ids[each.nth])
									await entries.delete(ids[each.nth] as string, "o");
								if (each.kind === "sweep") await search.sweep(0);
							}),
						);
						const stored = (await entries.list({ owner_id: "o", limit: 100 })).items.filter(
							({ entry_type }) => entry_type === "note" || entry_type === "task",
						);
						assert.equal(await countRows(sql, "search"), stored.length);
						for (const word of words) {
							const having = stored.filter((row) => row.content.split(" ").includes(word));
							assert.deepEqual(await findIds(sql, word), having.map(({ id }) => id).sort());
						}
					}
					await assertSound(sql);
				} finally {
					sql.close();
				}
			}),
			{ numRuns: 150 },
		);
		context.diagnostic("150 histories");
	});

	test("writing an unchanged entry does not touch the index", async (context) => {
		const { sql, entries } = await openDatabase(context);
		await entries.upsert(entry("p", "ant bee"));
		const before = await readIndexState(sql);
		await entries.upsert({ ...entry("p", "ant bee"), metadata_json: '{"a":1}', now: 2 });
		assert.deepEqual(await readIndexState(sql), before);
		await entries.upsert(entry("p", "cat"));
		assert.notDeepEqual(await readIndexState(sql), before);
	});

	test("a failed unit of work leaves the index unchanged", async (context) => {
		const { sql, entries } = await openDatabase(context);
		const kept = await entries.append(entry("p", "ant"));
		await assert.rejects(entries.append({ ...entry("p", "bee"), id: kept.id }));
		assert.deepEqual(await findIds(sql, "bee"), []);
		assert.deepEqual(await findIds(sql, "ant"), [kept.id]);
		assert.equal(await countRows(sql, "search"), 1);
	});

	test("deleting or changing an entry by any statement removes its words", async (context) => {
		const { sql, entries } = await openDatabase(context);
		for (const word of ["ant", "bee", "cat"]) await entries.append(entry(word, word));
		await sql.write([statement("delete from entries where page_name = 'ant'")]);
		await sql.write([statement("update entries set content = 'dog' where page_name = 'bee'")]);
		assert.deepEqual(await findIds(sql, "ant"), []);
		assert.deepEqual(await findIds(sql, "bee"), []);
		assert.equal(await countRows(sql, "search"), 1);
		await assertSound(sql);
	});

	test("a deprecated triplet is only in the history, before and after a sweep", async (context) => {
		const { sql, entries, search } = await openDatabase(context);
		await entries.append({
			...entry("Bee", "Bee is an insect", "triplet"),
			metadata_json: '{"status":"active"}',
		});
		assert.equal((await findIds(sql, "insect")).length, 1);
		await sql.write([
			statement("update entries set metadata_json = json_set(metadata_json, '$.status', 'deprecated')"),
		]);
		assert.deepEqual(await findIds(sql, "insect"), []);
		await search.sweep(0);
		assert.deepEqual(await findIds(sql, "insect"), []);
		const history = await findHits(
			search.index,
			parseQuery("insect "),
			{ owner_id: "o", area: "history" },
			10,
		);
		assert.deepEqual(
			history.map(({ seq }) => seq),
			[-1],
		);
		await sql.write([statement("delete from entries")]);
		assert.equal(await countRows(sql, "search"), 0);
	});
});

describe("reindexing", () => {
	/** Entries written by a version without this index. */
	async function openUnindexed(context: TestContext, count: number) {
		const parts = await openDatabase(context);
		for (let nth = 0; nth < count; nth++) {
			await parts.entries.append(
				entry(`page ${nth}`, `ant number${nth}`, nth % 7 === 6 ? "execution_log" : "note"),
			);
		}
		await parts.sql.write([
			statement("delete from search"),
			statement("update search_state set version = 0"),
		]);
		assert.deepEqual(await findIds(parts.sql, "ant"), []);
		return parts;
	}
	const countSearched = (count: number) => count - Math.floor(count / 7);

	test("runs automatically in steps if the index has another version", async (context) => {
		const { sql, search } = await openUnindexed(context, 350);
		let steps = 0;
		while (await search.catchUp()) steps++;
		assert.ok(steps > 1);
		assert.equal(await countRows(sql, "search"), countSearched(350));
		assert.equal((await findIds(sql, "ant")).length, countSearched(350));
		const before = await readIndexState(sql);
		assert.equal(await search.catchUp(), false);
		assert.deepEqual(await readIndexState(sql), before);
		await assertSound(sql);
	});

	test("removes index rows without an entry", async (context) => {
		const { sql, entries, search } = await openDatabase(context);
		await entries.append(entry("p", "ant"));
		await sql.write([statement("insert into search (rowid, terms) values (77, 'stray')")]);
		for (let next: number | null = 0; next !== null; next = (await search.sweep(next)).next);
		assert.equal(await countRows(sql, "search"), 1);
	});

	test("skips entries that are changed or deleted while it runs", async (context) => {
		const { sql, entries } = await openUnindexed(context, 3);
		const [first, second] = (await entries.list({ owner_id: "o", entry_type: "note", limit: 10 })).items;
		let isDone = false;
		const meanwhile: Sql = {
			...sql,
			async write(unit) {
				if (!isDone) {
					isDone = true;
					await sql.write([statement("update entries set content = 'bee' where id = ?1", first?.id ?? "")]);
					await entries.delete(second?.id ?? "", "o");
				}
				return sql.write(unit);
			},
		};
		await searchStorage(meanwhile).sweep(0);
		assert.equal((await findIds(sql, "ant")).length, 1);
		assert.equal((await findIds(sql, "page")).length, 1);
		await assertSound(sql);
	});

	test("handles large entries", async (context) => {
		const { sql, entries, search } = await openDatabase(context);
		for (let nth = 0; nth < 5; nth++) await entries.append(entry(`p${nth}`, `ant ${"long ".repeat(50_000)}`));
		let indexed = 0;
		for (let next: number | null = 0; next !== null; ) {
			const step: { indexed: number; next: number | null } = await search.sweep(next);
			indexed += step.indexed;
			next = step.next;
		}
		assert.equal(indexed, 5);
		assert.equal((await findIds(sql, "ant")).length, 5);
	});
});
