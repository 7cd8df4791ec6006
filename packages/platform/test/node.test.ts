import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { nodeBackground } from "../src/background.node.ts";
import { nodeCipher } from "../src/cipher.node.ts";
import { systemClock } from "../src/clock.ts";
import { executorMigrations } from "../src/executor-database.ts";
import { sqlJournal } from "../src/journal.sql.ts";
import { sqlKeptRuns } from "../src/kept.sql.ts";
import { kvMigrations, sqliteKv, sweepExpired } from "../src/kv.sqlite.ts";
import { migrate } from "../src/migrations.ts";
import { openSqlite } from "../src/sql.sqlite.ts";
import { statement } from "../src/sql.ts";
import { backgroundContract } from "./contracts/background.ts";
import { cipherContract } from "./contracts/cipher.ts";
import { clockContract } from "./contracts/clock.ts";
import { manualClock } from "./contracts/contract.ts";
import { journalContract } from "./contracts/journal.ts";
import { journalLimitContract } from "./contracts/journal-limit.ts";
import { keptContract } from "./contracts/kept.ts";
import { kvContract } from "./contracts/kv.ts";
import { sqlContract } from "./contracts/sql.ts";

function databaseFile(context: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "tripline-"));
	context.after(() => rmSync(folder, { recursive: true }));
	return join(folder, "test.db");
}

function database(context: TestContext) {
	const sql = openSqlite(databaseFile(context));
	context.after(() => sql.close());
	return sql;
}

describe("cipher on Node", () => {
	for (const { name, run } of cipherContract) test(name, () => run(nodeCipher));
});

describe("journal on SQLite", () => {
	for (const { name, run } of journalContract) {
		test(name, async (context) => {
			const sql = database(context);
			await migrate(sql, executorMigrations);
			await run(sqlJournal(sql));
		});
	}
});

describe("a limited journal on SQLite", () => {
	for (const { name, run } of journalLimitContract) {
		test(name, async (context) => {
			const sql = database(context);
			await migrate(sql, executorMigrations);
			await run(sql);
		});
	}
});

describe("kept data on SQLite", () => {
	for (const { name, run } of keptContract) {
		test(name, async (context) => {
			const sql = database(context);
			await migrate(sql, executorMigrations);
			const clock = manualClock();
			await run({ kept: sqlKeptRuns({ sql, clock }), clock });
		});
	}
});

describe("sql on SQLite", () => {
	for (const { name, run } of sqlContract) test(name, (context) => run(database(context)));

	test("a database is in WAL mode, syncs every commit and enforces foreign keys", async (context) => {
		const sql = database(context);
		const pragma = async (name: string) =>
			Object.values((await sql.read<Record<string, unknown>>(statement(`pragma ${name}`)))[0] ?? {})[0];
		assert.equal(await pragma("journal_mode"), "wal");
		assert.equal(await pragma("synchronous"), 2);
		assert.equal(await pragma("foreign_keys"), 1);
		assert.equal(await pragma("busy_timeout"), 5000);
	});

	test("pending writes are stored when the database is closed", async (context) => {
		const file = databaseFile(context);
		const sql = openSqlite(file);
		await sql.write([statement("create table t (n integer) strict")]);
		const written = sql.write([statement("insert into t values (1)")]);
		sql.close();
		await written;
		const again = openSqlite(file);
		context.after(() => again.close());
		assert.equal((await again.read(statement("select n from t"))).length, 1);
	});

	test("a closed database keeps no timers running", async (context) => {
		const sql = openSqlite(databaseFile(context));
		await sql.write([statement("create table t (n integer) strict")]);
		const insert = () => sql.write([statement("insert into t values (1)")]);
		void insert();
		sql.close();
		void insert().catch(() => {});
		let turns = 0;
		const counted = process.getActiveResourcesInfo;
		do await new Promise((resolve) => setTimeout(resolve, 1));
		while (counted().includes("Immediate") && ++turns < 20);
		assert.ok(turns < 20);
	});

	test("many concurrent writes run over several turns of the event loop, in order", async (context) => {
		const sql = database(context);
		await sql.write([statement("create table t (n integer primary key, text text) strict")]);
		const text = "x".repeat(200_000);
		const insert = (n: number) => sql.write([statement("insert into t values (?1, ?2)", n, text)]);
		let turns = 0;
		const counting = setInterval(() => turns++);
		await Promise.all(Array.from({ length: 500 }, (_, nth) => insert(nth)));
		clearInterval(counting);
		assert.ok(turns > 1);
		const rows = await sql.read<{ n: number }>(statement("select n from t order by rowid"));
		assert.deepEqual(
			rows.map(({ n }) => n),
			Array.from({ length: 500 }, (_, nth) => nth),
		);
	});

	test("compacting does not wait for a reader", async (context) => {
		const file = databaseFile(context);
		const sql = openSqlite(file);
		context.after(() => sql.close());
		await sql.write([statement("create table t (a text) strict")]);
		const reader = new DatabaseSync(file);
		context.after(() => reader.close());
		reader.exec("begin; select * from t");
		await sql.write([statement("insert into t values ('x')")]);
		const begin = performance.now();
		await sql.compact();
		assert.ok(performance.now() - begin < 3000);
	});

	test("compacting makes the file smaller after a delete", async (context) => {
		const file = databaseFile(context);
		const sql = openSqlite(file);
		context.after(() => sql.close());
		await sql.write([statement("create table t (text text) strict")]);
		await sql.write(
			Array.from({ length: 500 }, () => statement("insert into t values (?1)", "x".repeat(4000))),
		);
		await sql.compact();
		const before = statSync(file).size;
		await sql.write([statement("delete from t")]);
		await sql.compact();
		assert.ok(statSync(file).size < before / 4);
	});
});

describe("kv on SQLite", () => {
	for (const { name, run } of kvContract) {
		test(name, async (context) => {
			const clock = manualClock();
			const sql = database(context);
			await migrate(sql, kvMigrations);
			await run({ kv: sqliteKv({ sql, clock, namespace: "ONE" }), clock });
		});
	}

	test("two namespaces share nothing", async (context) => {
		const sql = database(context);
		await migrate(sql, kvMigrations);
		const one = sqliteKv({ sql, clock: systemClock, namespace: "ONE" });
		const two = sqliteKv({ sql, clock: systemClock, namespace: "TWO" });
		await one.put("k", "v");
		assert.equal(await two.get("k"), null);
		assert.deepEqual((await two.list({ prefix: "" })).keys, []);
	});

	test("sweeping deletes expired keys and no others", async (context) => {
		const clock = manualClock();
		const sql = database(context);
		await migrate(sql, kvMigrations);
		const kv = sqliteKv({ sql, clock, namespace: "ONE" });
		await kv.put("old", "v", { ttlSeconds: 1 });
		await kv.put("new", "v", { ttlSeconds: 60 });
		await kv.put("kept", "v");
		clock.advance(1000);
		await sweepExpired(sql, clock);
		const rows = await sql.read<{ key: string }>(statement("select key from kv order by key"));
		assert.deepEqual(
			rows.map((row) => row.key),
			["kept", "new"],
		);
	});
});

describe("clock on Node", () => {
	for (const { name, run } of clockContract) test(name, () => run(systemClock));
});

describe("background on Node", () => {
	for (const { name, run } of backgroundContract) {
		test(name, async () => {
			let flush = async () => {};
			await run({
				create(report) {
					const background = nodeBackground(report);
					flush = background.flush;
					return background;
				},
				settle: () => flush(),
			});
		});
	}

	test("flush waits for work started by other work", async () => {
		const background = nodeBackground(assert.fail);
		let done = false;
		background.run("outer", async () => {
			background.run("inner", async () => {
				await new Promise((resolve) => setTimeout(resolve, 5));
				done = true;
			});
		});
		await background.flush();
		assert.equal(done, true);
	});
});
