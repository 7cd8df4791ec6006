import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { executorMigrations } from "../src/executor-database.ts";
import { sqlJournal } from "../src/journal.sql.ts";
import { sqlKeptRuns } from "../src/kept.sql.ts";
import { kvMigrations, sqliteKv } from "../src/kv.sqlite.ts";
import { isMigrated, migrate } from "../src/migrations.ts";
import { postgresMutex } from "../src/mutex.postgres.ts";
import { postgresSignals } from "../src/signals.postgres.ts";
import { checkServer, openPostgres, type PostgresOptions } from "../src/sql.postgres.ts";
import { type Sql, SqlUnavailable, statement } from "../src/sql.ts";
import { manualClock } from "./contracts/contract.ts";
import { journalContract } from "./contracts/journal.ts";
import { journalLimitContract } from "./contracts/journal-limit.ts";
import { keptContract } from "./contracts/kept.ts";
import { kvContract } from "./contracts/kv.ts";
import { sqlContract } from "./contracts/sql.ts";

describe("PostgreSQL", () => {
	let server: PostgresServer;
	let url: string;
	before(async () => {
		server = await startPostgres();
		url = await createDatabase(server.url, "english");
	});
	after(() => server.stop());

	let schemas = 0;
	async function open(context: TestContext, options: Partial<PostgresOptions> = {}) {
		const sql = await openPostgres(url, { schema: `s${++schemas}`, ...options });
		context.after(() => sql.close());
		return sql;
	}

	describe("sql", () => {
		for (const { name, run } of sqlContract) test(name, async (context) => run(await open(context)));
	});

	describe("key-value store", () => {
		for (const { name, run } of kvContract) {
			test(name, async (context) => {
				const sql = await open(context);
				await migrate(sql, kvMigrations);
				const clock = manualClock();
				await run({ kv: sqliteKv({ sql, clock, namespace: "n" }), clock });
			});
		}
	});

	describe("journal", () => {
		for (const { name, run } of journalContract) {
			test(name, async (context) => {
				const sql = await open(context);
				await migrate(sql, executorMigrations);
				await run(sqlJournal(sql));
			});
		}
	});

	describe("a limited journal", () => {
		for (const { name, run } of journalLimitContract) {
			test(name, async (context) => {
				const sql = await open(context);
				await migrate(sql, executorMigrations);
				await run(sql);
			});
		}
	});

	describe("kept runs", () => {
		for (const { name, run } of keptContract) {
			test(name, async (context) => {
				const sql = await open(context);
				await migrate(sql, executorMigrations);
				const clock = manualClock();
				await run({ kept: sqlKeptRuns({ sql, clock }), clock });
			});
		}
	});

	describe("many processes", () => {
		test("a condition on other rows holds, whoever writes at the same time", async (context) => {
			const [one, other] = [await open(context), await open(context, { schema: `s${schemas}` })];
			await one.write([statement("create table seats (id integer primary key, name text not null) strict")]);
			const take = (sql: Sql) =>
				sql.write([
					statement(
						"insert into seats (name) select ?1 where (select count(*) from seats) < 10 returning id",
						"somebody",
					),
				]);
			const outcomes = await Promise.all(
				Array.from({ length: 60 }, (_, nth) => take(nth % 2 === 0 ? one : other)),
			);
			assert.equal(outcomes.filter(([outcome]) => outcome?.rows.length === 1).length, 10);
		});

		test("who starts at the same time finds the schema migrated", async (context) => {
			const schema = "started_together";
			const opened = await Promise.all(Array.from({ length: 4 }, () => open(context, { schema })));
			await Promise.all(opened.map((sql) => migrate(sql, executorMigrations)));
			assert.deepEqual(await Promise.all(opened.map((sql) => isMigrated(sql, executorMigrations))), [
				true,
				true,
				true,
				true,
			]);
		});
	});

	test("a text may contain any character", async (context) => {
		const sql = await open(context);
		await sql.write([statement("create table texts (id integer primary key, text text) strict")]);
		for (const text of ["\0", "a\0b\0\0", "\uf8ff", "\uf8ff0\0\uf8ff1", "\ufffd\u{10ffff}\r\n'\\"]) {
			const [outcome] = await sql.write([
				statement("insert into texts (text) values (?1) returning text", text),
			]);
			assert.equal(outcome?.rows[0]?.text, text);
			assert.equal((await sql.read(statement("select 1 from texts where text = ?1", text))).length, 1);
		}
	});

	test("a statement goes on after another process has added a column", async (context) => {
		const sql = await open(context);
		await sql.write([statement("create table things (id integer primary key) strict")]);
		const add = statement("insert into things default values returning *");
		const list = statement("select * from things");
		await sql.write([add]);
		for (let n = 0; n < 8; n++) await sql.read(list);
		await sql.write([statement("alter table things add column name text")]);
		assert.deepEqual(await sql.read(list), [{ id: 1, name: null }]);
		const [outcome] = await sql.write([add]);
		assert.deepEqual(outcome?.rows, [{ id: 2, name: null }]);
	});

	test("a server that is too old or does not store Unicode is refused", () => {
		checkServer({ version: "150000", encoding: "UTF8" });
		assert.throws(
			() => checkServer({ version: "140012", encoding: "UTF8" }),
			/15 or newer is required, and this is 14/,
		);
		assert.throws(() => checkServer({ version: "180001", encoding: "LATIN1" }), /UTF8/);
	});

	test("a statement that takes too long is given up, and its unit of work with it", async (context) => {
		const sql = await open(context, { statementTimeoutMs: 200 });
		await sql.write([statement("create table things (id integer primary key) strict")]);
		const slow = statement("select pg_sleep(30)");
		await assert.rejects(sql.read(slow), SqlUnavailable);
		await assert.rejects(sql.write([statement("insert into things (id) values (1)"), slow]), SqlUnavailable);
		assert.deepEqual(await sql.read(statement("select * from things")), []);
	});

	test("a server that is away makes calls fail until it is back, and loses nothing", async (context) => {
		const sql = await open(context);
		await sql.write([statement("create table things (id integer primary key, name text unique) strict")]);
		const insert = (name: string) => sql.write([statement("insert into things (name) values (?1)", name)]);
		await insert("before");
		await sql.read(statement("select 1 as one"));
		await server.crash();
		await assert.rejects(insert("away"), SqlUnavailable);
		await assert.rejects(sql.read(statement("select 1 as one")), SqlUnavailable);
		await server.restart();
		await insert("after");
		const rows = await sql.read<{ name: string }>(statement("select name from things order by id"));
		assert.deepEqual(
			rows.map(({ name }) => name),
			["before", "after"],
		);
	});

	test("connections that the server ends are replaced", async (context) => {
		const sql = await open(context);
		await sql.write([statement("create table things (id integer primary key) strict")]);
		const endOthers = statement(
			`select pg_terminate_backend(pid) from pg_stat_activity
			where application_name = 'tripline' and pid <> pg_backend_pid()`,
		);
		for (let round = 0; round < 3; round++) {
			const other = await openPostgres(server.url, { schema: "others" });
			await other.read(endOthers);
			await other.close();
			const write = () => sql.write([statement("insert into things default values")]);
			await write().catch(write);
			const read = () => sql.read(statement("select 1 from things"));
			assert.equal((await read().catch(read)).length, round + 1);
		}
	});

	describe("signals", () => {
		async function openSignals(context: TestContext, from: string) {
			const signals = await postgresSignals(server.url, { channel: "signals", from, log: () => {} });
			context.after(() => signals.close());
			return signals;
		}

		test("reach all other processes, in order, however many there are", async (context) => {
			const [one, two, three] = await Promise.all(["1", "2", "3"].map((name) => openSignals(context, name)));
			const received: Record<string, string[]> = { one: [], two: [], three: [] };
			one?.on("topic", (text) => received.one?.push(text));
			two?.on("topic", (text) => received.two?.push(text));
			two?.on("other", () => assert.fail("another topic"));
			three?.on("topic", (text) => received.three?.push(text));
			const texts = Array.from({ length: 300 }, (_, n) => `${n} ${"編".repeat(n)}`);
			for (const text of texts) one?.send("topic", text);
			const isAll = (name: string) => assert.equal(received[name]?.length, texts.length);
			await eventually(() => ["two", "three"].forEach(isAll));
			assert.deepEqual(received, { one: [], two: texts, three: texts });
		});

		test("of another program on the same channel are ignored", async (context) => {
			const [one, two] = await Promise.all(["1", "2"].map((name) => openSignals(context, name)));
			const received: string[] = [];
			two?.on("topic", (text) => received.push(text));
			const client = new Client(server.url);
			await client.connect();
			for (const text of ["no JSON", "null", "[1]", '{"from":"x","signals":1}'])
				await client.query("select pg_notify('signals', $1)", [text]);
			await client.end();
			one?.send("topic", "ours");
			await eventually(() => assert.deepEqual(received, ["ours"]));
		});

		test("cannot be opened without the database, and then nothing tries again", async () => {
			const nowhere = "postgres://127.0.0.1:1/none";
			await assert.rejects(
				postgresSignals(nowhere, { channel: "signals", from: "1", log: () => assert.fail("tried again") }),
				SqlUnavailable,
			);
			await wait(1_500);
		});

		test("are sent and received again after the connection was lost", async (context) => {
			const [one, two] = await Promise.all(["1", "2"].map((name) => openSignals(context, name)));
			const received: string[] = [];
			two?.on("topic", (text) => received.push(text));
			await server.crash();
			await server.restart();
			await eventually(() => {
				one?.send("topic", "again");
				assert.ok(received.includes("again"));
			});
		});
	});

	test("tasks of several processes run one after another", async () => {
		const mutexes = Array.from({ length: 3 }, () => postgresMutex(server.url, "tasks"));
		let running = 0;
		let most = 0;
		const work = async () => {
			most = Math.max(most, ++running);
			await wait(20);
			running--;
		};
		await Promise.all(mutexes.flatMap((run) => [run(work), run(work)]));
		assert.equal(most, 1);
		await assert.rejects(
			mutexes[0]?.(async () => {
				throw new Error("failed");
			}) ?? Promise.resolve(),
			/failed/,
		);
		await mutexes[1]?.(work);
	});
});

async function eventually(check: () => void): Promise<void> {
	const until = performance.now() + 15_000;
	for (;;) {
		try {
			return check();
		} catch (error) {
			if (performance.now() > until) throw error;
			await wait(50);
		}
	}
}

/** A database whose locale sorts and folds as people do. */
async function createDatabase(url: string, name: string): Promise<string> {
	const client = new Client(url);
	await client.connect();
	await client.query(
		`create database ${name} template template0 locale_provider icu icu_locale 'en-US' locale 'C'`,
	);
	await client.end();
	return new URL(name, url).href;
}
