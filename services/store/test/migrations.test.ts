import assert from "node:assert/strict";
import { test } from "node:test";
import { isMigrated, migrate } from "@tripline/platform/migrations";
import { statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { toStoredRecord } from "../src/domain/execution-log.ts";
import { entryStorage } from "../src/storage/entries.ts";
import { executionLogStorage } from "../src/storage/execution-log.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

const BEFORE = storeMigrations.filter(({ version }) => version < 5);

const buildMetadata = (trigger: unknown) => JSON.stringify({ config: { trigger } });

test("migrating an older database fills in listening workflows and the count of schedules", async (context) => {
	const sql = openSqlite(":memory:");
	context.after(() => sql.close());
	await migrate(sql, BEFORE);
	const add = (
		page: string,
		metadata_json: string,
		entry_type = "workflow",
		schedule: string | null = null,
	) =>
		sql.write([
			statement(
				`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, schedule)
				values (?1, ?2, 'o', ?1, '', ?3, 1, 1, ?4)`,
				page,
				entry_type,
				metadata_json,
				schedule,
			),
		]);
	await add("listening", buildMetadata({ type: "event", event: "order.*" }));
	await add("scheduled", buildMetadata({ type: "schedule", event: "order.*" }), "workflow", "@daily\nUTC");
	await add("number", buildMetadata({ type: "event", event: 5 }));
	await add("empty", buildMetadata({ type: "event", event: "" }));
	await add("none", "{}");
	await add("text", JSON.stringify({ config: "event" }));
	await add("corrupt", "{");
	await add("note", buildMetadata({ type: "event", event: "order.*" }), "note");
	await migrate(sql, storeMigrations);
	assert.equal(await isMigrated(sql, storeMigrations), true);
	const entries = entryStorage(sql);
	const { items } = await entries.list({ owner_id: "o", listens: "any", limit: 10 });
	assert.deepEqual(
		items.map(({ page_name }) => page_name),
		["listening"],
	);
	assert.equal(await entries.countScheduled(), 1);
});

test("records from before the migration, and those that the previous version still writes, are separated by trigger", async (context) => {
	const sql = openSqlite(":memory:");
	context.after(() => sql.close());
	await migrate(
		sql,
		storeMigrations.filter(({ version }) => version < 7),
	);
	const now = 1_790_000_000_000;
	let count = 0;
	const writeRecord = async (trigger: string | null) => {
		const record = toStoredRecord({ workflow: "greet", verdict: "success", duration_ms: ++count }, now);
		await sql.write([
			statement(
				`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at)
				values (?1, 'execution_log', 'o', 'greet', '', ?2, ?3, ?3)`,
				`id-${count}`,
				JSON.stringify({ ...record, trigger }),
				now / 1000 + count,
			),
		]);
	};
	for (const trigger of ["schedule", "webhook", null]) await writeRecord(trigger);
	await migrate(sql, storeMigrations);
	for (const trigger of ["webhook", "named", "webhook"]) await writeRecord(trigger);
	const log = executionLogStorage(sql);
	const entries = entryStorage(sql);
	for (const [runsOf, expected] of [
		["named", [5, 3, 1]],
		["webhook", [6, 4, 2]],
		[undefined, [6, 5, 4, 3, 2, 1]],
	] as const) {
		const filter = { owner_id: "o", entry_type: "execution_log", page_name: "greet", runsOf, limit: 10 };
		const { items } = await entries.list(filter);
		assert.deepEqual(
			items.map(({ metadata_json }) => JSON.parse(metadata_json).duration_ms),
			expected,
		);
		const [latest] = await log.listLatest("o", undefined, runsOf);
		assert.equal(latest?.duration_ms, expected[0]);
	}
});

test("entries whose type became internal are no longer found by text search", async (context) => {
	const sql = openSqlite(":memory:");
	context.after(() => sql.close());
	await migrate(sql, BEFORE);
	for (const [seq, type] of ["api_recipe", "note"].entries()) {
		await sql.write([
			statement(
				`insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at)
				values (?1, ?2, ?2, 'o', 'p', '', '{}', 1, 1)`,
				seq + 1,
				type,
			),
			statement("insert into search (rowid, terms) values (?1, 'word')", seq + 1),
		]);
	}
	await migrate(sql, storeMigrations);
	const found = await sql.read(statement("select rowid as seq from search where search match 'word'"));
	assert.deepEqual(found, [{ seq: 2 }]);
});
