import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { uuidv7 } from "@tripline/contract/ids";
import { MAX_STATE_NAMES } from "@tripline/contract/state";
import { migrate } from "@tripline/platform/migrations";
import { statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "../src/app.ts";
import { type StoreClient, StoreRefused, storeClient } from "../src/client.ts";
import { storeEnvironment, storeSettings } from "../src/settings.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

const NOW = Date.UTC(2026, 10, 16, 12);
const owner_id = "o";

async function open(context: TestContext, file = ":memory:") {
	const sql = openSqlite(file);
	context.after(() => sql.close());
	await migrate(sql, storeMigrations);
	const clock = { time: NOW, now: () => clock.time };
	const store = createStore({
		sql,
		clock,
		log: () => {},
		version: "test",
		settings: storeSettings(storeEnvironment.parse({ MULTI_TENANT: "false" })),
	});
	const client = storeClient({ fetch: (request) => store.fetch(request), baseUrl: "http://store" });
	return { sql, clock, store, client };
}

/** Fills a namespace up to its limit, by the same kind of row that the storage writes. */
const fill = (sql: ReturnType<typeof openSqlite>, count: number, expires_at: number | null) =>
	sql.write([
		statement(
			`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at,
				upsert_key, number, expires_at)
			select value, 'state_value', 'o', value, '', '{}', 1, 1, 'o' || char(10) || 'state_value' || char(10) || value,
				1, ?2
			from json_each(?1)`,
			JSON.stringify(Array.from({ length: count }, () => uuidv7(NOW))),
			expires_at,
		),
	]);

const set = (client: StoreClient, name: string, fields: object = {}) =>
	client.state.set({ owner_id, name, value_json: "1", ...fields });

const FULL = /^the namespace has 10000 names, the most it can have/;
const isFull = (error: unknown) => error instanceof StoreRefused && FULL.test(error.message);

test("a namespace has at most 10,000 names; those it has can still be changed", async (context) => {
	const { sql, client } = await open(context);
	await set(client, "known");
	await fill(sql, MAX_STATE_NAMES - 2, null);
	await set(client, "last");
	await assert.rejects(set(client, "one more"), isFull);
	await assert.rejects(set(client, "one more", { if_absent: true }), isFull);
	await assert.rejects(client.state.increment({ owner_id, name: "one more" }), isFull);
	assert.deepEqual(await client.state.increment({ owner_id, name: "known" }), { value: 2 });
	assert.equal((await set(client, "known")).previous_json, "2");
	assert.equal((await set(client, "known", { if_absent: true })).stored, false);
	await client.state.set({ owner_id: "other", name: "a", value_json: "1" });
	await client.state.set({ owner_id, name: "last", value_json: "null" });
	assert.equal((await set(client, "one more")).stored, true);
	await assert.rejects(set(client, "and another"), isFull);
});

test("expired names make room at once, without waiting for the tick", async (context) => {
	const { sql, clock, client } = await open(context);
	await fill(sql, MAX_STATE_NAMES, NOW + 1000);
	await assert.rejects(set(client, "a"), isFull);
	clock.time = NOW + 1000;
	assert.equal((await set(client, "a")).stored, true);
	assert.deepEqual(await client.state.increment({ owner_id, name: "b" }), { value: 1 });
});

test("a tick deletes expired names of all owners, and those that are left are counted", async (context) => {
	const { sql, clock, store, client } = await open(context);
	await fill(sql, 6_000, NOW + 1000);
	await set(client, "kept");
	await client.state.set({ owner_id: "other", name: "a", value_json: "1", ttl_seconds: 1 });
	clock.time = NOW + 1000;
	await store.tick();
	const left = await sql.read(statement("select page_name from entries where entry_type = 'state_value'"));
	assert.deepEqual(left, [{ page_name: "kept" }]);
	const counts = await sql.read(
		statement("select value from counters where name like 'state%' order by name"),
	);
	assert.deepEqual(counts, [{ value: 1 }, { value: 0 }]);
});

test("two connections to one database file lose no increment", async (context) => {
	const folder = mkdtempSync(join(tmpdir(), "tripline-state-"));
	context.after(() => rmSync(folder, { recursive: true }));
	const file = join(folder, "store.db");
	const clients = [(await open(context, file)).client, (await open(context, file)).client];
	await Promise.all(
		Array.from({ length: 50 }, (_, nth) => clients[nth % 2]?.state.increment({ owner_id, name: "n" })),
	);
	assert.equal(await clients[0]?.state.get(owner_id, "n"), "50");
});
