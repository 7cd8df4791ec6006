import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import type { Migration } from "../../src/cloudflare/bundles.ts";
import { migrate } from "../../src/cloudflare/migrate.ts";
import { ProviderRefused } from "../../src/cloudflare/provider.ts";

const migration = (version: number, statement: string): Migration => ({
	version,
	file: `000${version}_test.sql`,
	sql: `create table if not exists migrations (version integer primary key, name text not null);
${statement};
insert into migrations (version, name) values (${version}, 'test');`,
});
const migrations = [
	migration(1, "create table notes (text text)"),
	migration(
		2,
		"create trigger kept after delete on notes begin\n\tinsert into notes values (old.text || ';');\nend",
	),
];

/** A database behind the provider's API: each call is atomic. */
function openDatabase() {
	const sqlite = new DatabaseSync(":memory:");
	const sent: string[] = [];
	async function query(_id: string, what: string, sql: string) {
		sent.push(what);
		if (sql.startsWith("select")) return sqlite.prepare(sql).all();
		try {
			sqlite.exec(`begin; ${sql} commit;`);
		} catch (error) {
			sqlite.exec("rollback");
			throw new ProviderRefused(what, 400, [{ code: 7500, message: (error as Error).message }]);
		}
		return [];
	}
	return { sqlite, sent, query };
}

const run = (query: ReturnType<typeof openDatabase>["query"], list = migrations) =>
	migrate({ api: { query }, database: "id", migrations: list, progress: () => {} });

describe("migrating the deployed database", () => {
	test("applies all migrations to an empty database, and then none", async () => {
		const { query, sqlite } = openDatabase();
		assert.deepEqual(await run(query), ["0001_test.sql", "0002_test.sql"]);
		sqlite.exec("insert into notes values ('a'); delete from notes where text = 'a';");
		assert.deepEqual({ ...sqlite.prepare("select text from notes").get() }, { text: "a;" });
		assert.deepEqual(await run(query), []);
	});

	test("continues after an interruption", async () => {
		const { query } = openDatabase();
		await run(query, migrations.slice(0, 1));
		assert.deepEqual(await run(query), ["0002_test.sql"]);
	});

	test("counts a migration as applied if only its answer was lost", async () => {
		const { query } = openDatabase();
		const losing: typeof query = async (id, what, sql) => {
			const rows = await query(id, what, sql);
			if (what.startsWith("apply")) throw new Error("the connection was cut");
			return rows;
		};
		assert.deepEqual(await run(losing), ["0001_test.sql", "0002_test.sql"]);
	});

	test("names a failing migration with the database's error, and applies nothing of it", async () => {
		const { query, sqlite } = openDatabase();
		const wrong = migration(3, "create table more (text text);\ninsert into absent values (1)");
		await assert.rejects(run(query, [...migrations, wrong]), {
			message: /0003_test\.sql failed: .*no such table: absent \(code 7500\)/,
			hint: /it was not applied/,
		});
		assert.equal(sqlite.prepare("select 1 from sqlite_master where name = 'more'").get(), undefined);
	});

	test("does not touch a database of a newer version", async () => {
		const { query, sent } = openDatabase();
		await run(query);
		const before = sent.length;
		await assert.rejects(run(query, migrations.slice(0, 1)), /schema version 2, .* supports up to 1/);
		assert.ok(sent.slice(before).every((what) => what.startsWith("read")));
	});
});
