import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import {
	type Database,
	type DatabaseJob,
	DatabaseProblem,
	type Databases,
} from "@tripline/platform/databases";
import { nodeDatabases } from "@tripline/platform/databases.node";
import { checkTls } from "../../packages/platform/test/databases-tls.ts";
import { TEST_CERTIFICATE } from "../../packages/platform/test/tls-certificate.ts";
import { type MariadbServer, startMariadb } from "./mariadb.ts";

const NEVER = new AbortController().signal;
const PASSWORD = "correct horse battery";

describe("MariaDB databases of others", () => {
	let server: MariadbServer;
	let databases: Databases;
	let shop: Database;

	before(async () => {
		server = await startMariadb([
			"create database shop",
			`create user app@'%' identified by '${PASSWORD}'`,
			"grant all on shop.* to app@'%'",
			"grant process on *.* to app@'%'",
		]);
		shop = {
			...{ engine: "mysql", key: "shop", hostname: "127.0.0.1", port: server.port, database: "shop" },
			...{ user: "app", password: PASSWORD, usesTls: false },
		};
		databases = nodeDatabases({ allow: parseAllowedHosts("127.0.0.1") });
	});
	after(async () => {
		await databases?.close();
		await server?.stop();
	});

	const runAll = (statements: DatabaseJob["statements"], more: Partial<DatabaseJob> = {}, signal = NEVER) =>
		databases.run(
			shop,
			{ statements, isReadOnly: false, maxRows: 1_000, maxBytes: 1_048_576, ...more },
			signal,
		);

	async function run(sql: string, params: Json[] = [], more: Partial<DatabaseJob> = {}, signal = NEVER) {
		const [result] = await runAll([{ sql, params }], more, signal);
		assert.ok(result);
		return result;
	}

	const readValue = async (sql: string, ...params: Json[]) => (await run(sql, params)).rows[0]?.[0];

	const refuses = (work: Promise<unknown>, message: RegExp) =>
		assert.rejects(work, (error: Error) => {
			assert.match(error.message, message);
			assert.doesNotMatch(error.message, new RegExp(PASSWORD));
			return error instanceof DatabaseProblem;
		});

	const values: [string, Json][] = [
		["select 1", 1],
		["select 9223372036854775807", "9223372036854775807"],
		["select cast(12345678901234567890.0000000001 as decimal(40,10))", "12345678901234567890.0000000001"],
		["select 0.1e0", 0.1],
		["select timestamp '2026-03-04 05:06:07.123456'", "2026-03-04T05:06:07.123456"],
		["select date '2026-03-04'", "2026-03-04"],
		["select x'00ff10'", "AP8Q"],
		["select 'ä'", "ä"],
		["select null", null],
	];
	for (const [sql, wanted] of values) {
		test(sql, async () => assert.deepEqual(await readValue(sql), wanted));
	}

	test("values of columns and parameters", async () => {
		await run(
			"create table kinds (at timestamp(6) null, mood enum('sad','happy'), data json, flag bool, big bigint unsigned)",
		);
		const insert = "insert into kinds values (?, ?, ?, ?, ?)";
		const params = ["2026-03-04 03:06:07.123456", "happy", { a: [1] }, true, "18446744073709551615"];
		assert.equal((await run(insert, params)).changed, 1);
		const { columns, rows } = await run("select * from kinds");
		assert.deepEqual(columns, ["at", "mood", "data", "flag", "big"]);
		assert.deepEqual(rows, [
			["2026-03-04T03:06:07.123456Z", "happy", '{"a":[1]}', 1, "18446744073709551615"],
		]);
		assert.equal((await run("select 1 from kinds limit ?", [1])).rows.length, 1);
	});

	test("values cannot become part of the statement, which is only one", async () => {
		await run("create table people (name text, age int check (age >= 0))");
		const hostile = "x'); drop table people; --";
		assert.equal((await run("insert into people values (?, 1)", [hostile])).changed, 1);
		assert.deepEqual((await run("select name from people")).rows, [[hostile]]);
		await refuses(run("select 1; drop table people"), /syntax/);
		await refuses(run("/*! drop table people */"), /comments that the server executes/);
	});

	test("no file of this machine is read", async () => {
		await refuses(
			run("load data local infile '/etc/passwd' into table people"),
			/not (?:allowed|supported)|disabled/,
		);
		assert.equal(await readValue("select count(*) from people"), 1);
	});

	test("a list is one transaction", async () => {
		const insert = { sql: "insert into people values ('Ada', ?)", params: [1] };
		await refuses(runAll([insert, { ...insert, params: [-1] }]), /CONSTRAINT/);
		assert.equal(await readValue("select count(*) from people"), 1);
		assert.equal((await runAll([insert, insert])).length, 2);
		assert.equal(await readValue("select count(*) from people"), 3);
		await refuses(run("commit"), /must not begin or end/);
	});

	test("read-only refuses changes, and cannot be left", async () => {
		const readOnly = { isReadOnly: true };
		assert.equal((await run("select 1", [], readOnly)).rows.length, 1);
		for (const sql of [
			"delete from people",
			"lock tables people write",
			"set autocommit = 1",
			"create table x (a int)",
		])
			await refuses(run(sql, [], readOnly), /only statements that read/);
		await refuses(run("select * from people for update; delete from people", [], readOnly), /syntax/);
	});

	test("rows beyond the limit are not read", async () => {
		const endless = "select a.seq from seq_1_to_1000000000 a";
		const { rows, hasMore } = await run(endless, [], { maxRows: 3 });
		assert.deepEqual([rows, hasMore], [[[1], [2], [3]], true]);
		const results = await runAll(
			[
				{ sql: endless, params: [] },
				{ sql: "select 2", params: [] },
			],
			{ maxRows: 1 },
		);
		assert.deepEqual(
			results.map((each) => [each.rows, each.hasMore]),
			[
				[[[1]], true],
				[[[2]], false],
			],
		);
		await refuses(run("select repeat('x', 10000000)"), /larger/);
	});

	test("many rows are read in parts", async () => {
		let count = 0;
		const statement = { sql: "select seq, repeat('x', 100) from seq_1_to_100000", params: [] };
		for await (const { rows } of databases.read(
			shop,
			{ statement, isReadOnly: true, maxRows: 1_000_000 },
			NEVER,
		))
			count += rows.length;
		assert.equal(count, 100_000);
	});

	test("cancelling reaches the server, and connections are used again", async () => {
		const control = new AbortController();
		const sleeping = run("select sleep(30)", [], {}, control.signal);
		const countSleeping = () =>
			readValue("select count(*) from information_schema.processlist where info like 'select sleep(30)%'");
		while ((await countSleeping()) === 0);
		control.abort(new Error("enough"));
		await assert.rejects(sleeping, /enough/);
		const until = Date.now() + 5_000;
		while ((await countSleeping()) !== 0) assert.ok(Date.now() < until, "it still runs");
		const first = await readValue("select connection_id()");
		assert.equal(await readValue("select connection_id()"), first);
	});

	test("a wrong password, TLS that is missing and private addresses are refused", async () => {
		const job = {
			statements: [{ sql: "select 1", params: [] }],
			isReadOnly: true,
			maxRows: 1,
			maxBytes: 1_000,
		};
		await refuses(
			databases.run({ ...shop, key: "wrong", password: "other one" }, job, NEVER),
			/Access denied/,
		);
		await refuses(databases.run({ ...shop, key: "tls", usesTls: true }, job, NEVER), /does not support TLS/);
		const guarded = nodeDatabases({ allow: { entries: [] } });
		await refuses(guarded.run(shop, job, NEVER), /ALLOW_PRIVATE_HOSTS/);
	});

	test("the server limits the time of a statement", async () => {
		assert.equal(Number(await readValue("select @@max_statement_time")), 900);
	});

	test("TLS is verified by authority and name", async () => {
		const secured = await startMariadb(
			[
				`create user app@'%' identified by '${PASSWORD}'`,
				"create database shop",
				"grant all on shop.* to app@'%'",
			],
			TEST_CERTIFICATE,
		);
		try {
			await checkTls({ ...shop, port: secured.port });
		} finally {
			await secured.stop();
		}
	});
});
