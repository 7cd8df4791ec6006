import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { nodeDatabases } from "../src/databases.node.ts";
import { type DatabaseJob, DatabaseProblem, type Databases } from "../src/databases.ts";

const NEVER = new AbortController().signal;

describe("SQLite files", () => {
	let folder: string;
	let path: string;
	let databases: Databases;

	before(() => {
		folder = mkdtempSync(join(tmpdir(), "tripline-sqlite-"));
		path = join(folder, "shop.db");
		const database = new DatabaseSync(path);
		database.exec(
			"create table people (id integer primary key, name text, age integer check (age >= 0)) strict",
		);
		database.exec("insert into people values (1, 'Ada', 36), (2, 'Bob', 20)");
		database.close();
		databases = nodeDatabases({ allow: { entries: [] } });
	});
	after(async () => {
		await databases.close();
		rmSync(folder, { recursive: true });
	});

	const runAll = (statements: DatabaseJob["statements"], more: Partial<DatabaseJob> = {}, signal = NEVER) =>
		databases.run(
			{ engine: "sqlite", path },
			{ statements, isReadOnly: false, maxRows: 1_000, maxBytes: 1_048_576, ...more },
			signal,
		);

	async function run(sql: string, params: Json[] = [], more: Partial<DatabaseJob> = {}, signal = NEVER) {
		const [result] = await runAll([{ sql, params }], more, signal);
		assert.ok(result);
		return result;
	}

	const refuses = (work: Promise<unknown>, message: RegExp) =>
		assert.rejects(work, (error: Error) => {
			assert.match(error.message, message);
			return error instanceof DatabaseProblem;
		});

	test("give their values without loss", async () => {
		const { columns, rows } = await run(
			"select 1 as a, 9223372036854775807 as a, 1.5, x'00ff10', 'ä', null, 9e999",
		);
		assert.deepEqual(columns.slice(0, 2), ["a", "a_2"]);
		assert.deepEqual(rows, [[1, "9223372036854775807", 1.5, "AP8Q", "ä", null, "Infinity"]]);
		const passed = await run("select ?, ?, ?, typeof(?), ?", [1.5, true, { a: [1] }, 7, "x"]);
		assert.deepEqual(passed.rows, [[1.5, 1, '{"a":[1]}', "integer", "x"]]);
	});

	test("are changed by one transaction or not at all", async () => {
		const insert = "insert into people (name, age) values (?, ?) returning id";
		const added = await runAll([
			{ sql: insert, params: ["x'); drop table people; --", 1] },
			{ sql: "update people set age = age + 1", params: [] },
		]);
		assert.deepEqual(
			added.map(({ rows, changed }) => [rows, changed]),
			[
				[[[3]], 1],
				[[], 3],
			],
		);
		await refuses(
			runAll([
				{ sql: "delete from people", params: [] },
				{ sql: insert, params: ["Eve", -1] },
			]),
			/CHECK constraint failed/,
		);
		assert.equal((await run("select * from people")).rows.length, 3);
	});

	test("reach no other file, and load nothing", async () => {
		const target = join(folder, "stolen.db");
		for (const sql of [
			`attach '${target}' as other`,
			`vacuum into '${target}'`,
			`/* a */ attach database '${target}' as other`,
		])
			await refuses(run(sql), /not authorized|authorization denied/);
		await refuses(run("select load_extension('/tmp/a.so')"), /not authorized/);
		for (const sql of [
			"pragma writable_schema = on",
			"pragma journal_mode = off",
			"pragma trusted_schema = on",
		])
			await refuses(run(sql), /not authorized/);
		assert.equal(existsSync(target), false);
		assert.equal((await run("pragma table_info(people)")).rows.length, 3);
	});

	test("refuse a second statement, transaction control, and changes while reading", async () => {
		await refuses(run("select 1; drop table people"), /several statements/);
		assert.equal((await run("select 1; -- done\n ;")).rows.length, 1);
		await refuses(run("commit"), /must not begin or end/);
		await refuses(run("/*!x*/ savepoint a"), /must not begin or end/);
		await refuses(run("delete from people", [], { isReadOnly: true }), /readonly/);
	});

	test("give no more rows and bytes than wanted", async () => {
		const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c";
		const { rows, hasMore } = await run(endless, [], { maxRows: 3 });
		assert.deepEqual([rows, hasMore], [[[1], [2], [3]], true]);
		await refuses(run("select zeroblob(900000000)"), /too big/);
		await refuses(run(`with t as (${endless}) select x, zeroblob(10000) from t`), /larger/);
	});

	test("are read in parts", async () => {
		const counting =
			"with recursive c(x) as (select 1 union all select x + 1 from c limit 100000) select x, hex(randomblob(20)) from c";
		const read = async (maxRows: number) => {
			let [count, more, parts] = [0, false, 0];
			const job = { statement: { sql: counting, params: [] }, isReadOnly: true, maxRows };
			for await (const { columns, rows, hasMore } of databases.read({ engine: "sqlite", path }, job, NEVER)) {
				assert.equal(columns.length, 2);
				count += rows.length;
				more = hasMore;
				parts++;
			}
			return { count, more, isSplit: parts > 1 };
		};
		assert.deepEqual(await read(1_000_000), { count: 100_000, more: false, isSplit: true });
		assert.deepEqual(await read(7), { count: 7, more: true, isSplit: false });
		const insert = { sql: "insert into people (name, age) values ('Zoe', 1) returning id", params: [] };
		const job = { statement: insert, isReadOnly: false, maxRows: 10 };
		for await (const _ of databases.read({ engine: "sqlite", path }, job, NEVER));
		assert.deepEqual((await run("select count(*) from people where name = 'Zoe'")).rows, [[1]]);
	});

	test("a query without end is ended, and the next one works", async () => {
		const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";
		await assert.rejects(run(endless, [], {}, AbortSignal.timeout(300)), /timeout/);
		assert.equal((await run("select 1")).rows.length, 1);
	});

	test("four queries without end stop neither this process nor later queries, and use no processor afterwards", async () => {
		const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";
		const limit = AbortSignal.timeout(1_000);
		const began = Date.now();
		let ticks = 0;
		const ticking = setInterval(() => ticks++, 20);
		const outcomes = await Promise.allSettled(
			Array.from({ length: 4 }, () => run(endless, [], { isReadOnly: true }, limit)),
		);
		clearInterval(ticking);
		assert.deepEqual(
			outcomes.map(({ status }) => status),
			["rejected", "rejected", "rejected", "rejected"],
		);
		assert.ok(Date.now() - began < 5_000, "they end at their time limit");
		assert.ok(ticks >= 10, `the event loop turned ${ticks} times`);
		assert.equal((await run("select 1", [], {}, AbortSignal.timeout(10_000))).rows.length, 1);
		const children = () =>
			execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" })
				.split("\n")
				.filter((line) => line.includes("databases-sqlite-entry"));
		assert.ok(children().length <= 1, children().join("\n"));
	});

	test("that do not exist are not made", async () => {
		const missing = join(folder, "missing.db");
		const job = {
			statements: [{ sql: "select 1", params: [] }],
			...{ isReadOnly: true, maxRows: 1, maxBytes: 1_000 },
		};
		await refuses(databases.run({ engine: "sqlite", path: missing }, job, NEVER), /unable to open/);
		assert.equal(existsSync(missing), false);
	});
});
