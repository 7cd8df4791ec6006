import assert from "node:assert/strict";
import { test } from "node:test";
import { isMigrated, migrate } from "@tripline/platform/migrations";
import { statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { entryStorage } from "../src/storage/entries.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

const BEFORE = storeMigrations.filter(({ version }) => version < 5);

const metadata = (trigger: unknown) => JSON.stringify({ config: { trigger } });

test("a database from before gets its listening workflows and its count of schedules", async (context) => {
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
	await add("listening", metadata({ type: "event", event: "order.*" }));
	await add("scheduled", metadata({ type: "schedule", event: "order.*" }), "workflow", "@daily\nUTC");
	await add("number", metadata({ type: "event", event: 5 }));
	await add("empty", metadata({ type: "event", event: "" }));
	await add("none", "{}");
	await add("text", JSON.stringify({ config: "event" }));
	await add("corrupt", "{");
	await add("note", metadata({ type: "event", event: "order.*" }), "note");
	await migrate(sql, storeMigrations);
	assert.equal(await isMigrated(sql, storeMigrations), true);
	const entries = entryStorage(sql);
	const { items } = await entries.list({ owner_id: "o", listens: true, limit: 10 });
	assert.deepEqual(
		items.map(({ page_name }) => page_name),
		["listening"],
	);
	assert.equal(await entries.scheduledCount(), 1);
});

test("entries whose type has become internal are no longer found by words", async (context) => {
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
