import assert from "node:assert/strict";
import { chownSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { Client } from "pg";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { parseAllowedHosts } from "../src/addresses.ts";
import { nodeDatabases } from "../src/databases.node.ts";
import { type Database, type DatabaseJob, DatabaseProblem, type Databases } from "../src/databases.ts";
import { checkTls } from "./databases-tls.ts";
import { TEST_CERTIFICATE } from "./tls-certificate.ts";

const NEVER = new AbortController().signal;
const PASSWORD = "correct horse battery";

describe("PostgreSQL databases of others", () => {
	let server: PostgresServer;
	let admin: Client;
	let databases: Databases;
	let shop: Database;

	before(async () => {
		server = await startPostgres({ settings: ["max_prepared_transactions=2"] });
		admin = new Client(server.url);
		admin.on("error", () => {});
		await admin.connect();
		await admin.query(`create role app login password '${PASSWORD}'`);
		const { rows } = await admin.query("show hba_file");
		await admin.query(
			`copy (values ('host all app 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')) to '${rows[0].hba_file}'`,
		);
		await admin.query("select pg_reload_conf()");
		await admin.query("create schema app authorization app");
		await admin.query("create type mood as enum ('sad', 'happy')");
		shop = {
			engine: "postgresql",
			key: "shop",
			hostname: "127.0.0.1",
			port: Number(new URL(server.url).port),
			database: "postgres",
			user: "app",
			password: PASSWORD,
			usesTls: false,
		};
		databases = nodeDatabases({ allow: parseAllowedHosts("127.0.0.1") });
	});
	after(async () => {
		await databases?.close();
		await admin?.end();
		await server?.stop();
	});

	const buildJob = (statements: DatabaseJob["statements"], more: Partial<DatabaseJob> = {}): DatabaseJob => ({
		statements,
		isReadOnly: false,
		maxRows: 1_000,
		maxBytes: 1_048_576,
		...more,
	});

	async function run(sql: string, params: Json[] = [], more: Partial<DatabaseJob> = {}, signal = NEVER) {
		const [result] = await databases.run(shop, buildJob([{ sql, params }], more), signal);
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

	describe("values", () => {
		const cases: [string, Json][] = [
			["1::int", 1],
			["9007199254740991::bigint", 9007199254740991],
			["9223372036854775807::bigint", "9223372036854775807"],
			["12345678901234567890.000000000123::numeric", "12345678901234567890.000000000123"],
			["'NaN'::numeric", "NaN"],
			["0.1::float8", 0.1],
			["'-Infinity'::float8", "-Infinity"],
			["true", true],
			["'ä \"quoted\"'::text", 'ä "quoted"'],
			["timestamptz '2026-03-04 05:06:07.123456+02'", "2026-03-04T03:06:07.123456Z"],
			["timestamp '2026-03-04 05:06:07'", "2026-03-04T05:06:07"],
			["'infinity'::timestamptz", "infinity"],
			["timestamp '0044-03-15 12:00:00 BC'", "0044-03-15 12:00:00 BC"],
			["date '2026-03-04'", "2026-03-04"],
			["interval '1 day 2 hours'", "P1DT2H"],
			["'\\x00ff10'::bytea", "AP8Q"],
			["'{\"a\": [1, null]}'::jsonb", { a: [1, null] }],
			["'null'::jsonb", null],
			[
				'\'{"id": 12345678901234567890, "n": 1.50, "e": 1e400}\'::json',
				{ id: "12345678901234567890", n: 1.5, e: "1e400" },
			],
			["array[1,null,3]", [1, null, 3]],
			[
				"array[[1,2],[3,4]]",
				[
					[1, 2],
					[3, 4],
				],
			],
			["'[0:1]={a,b}'::text[]", ["a", "b"]],
			["array['a,b','\"','\\','NULL',null,'']", ["a,b", '"', "\\", "NULL", null, ""]],
			["'{}'::int[]", []],
			["array['\\x01'::bytea]", ["AQ=="]],
			["array['{\"a\":1}'::jsonb]", [{ a: 1 }]],
			["array[1.10::numeric]", ["1.10"]],
			["'happy'::mood", "happy"],
			["array['sad','happy']::mood[]", ["sad", "happy"]],
			["'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
			["int4range(1, 5)", "[1,5)"],
			["row(1, 'a')", "(1,a)"],
			["null::int", null],
		];
		for (const [sql, wanted] of cases) {
			test(sql, async () => assert.deepEqual(await readValue(`select ${sql}`), wanted));
		}

		test("come back as they were passed", async () => {
			const list = ["a", 'b"\\,{}', null, "NULL"];
			assert.deepEqual(await readValue("select $1::text[]", list), list);
			assert.deepEqual(await readValue("select $1::jsonb", list), list);
			assert.deepEqual(await readValue("select $1::jsonb", { a: list }), { a: list });
			assert.deepEqual(
				await readValue("select $1::int[]", [
					[1, 2],
					[3, 4],
				]),
				[
					[1, 2],
					[3, 4],
				],
			);
			assert.equal(await readValue("select $1::numeric", "1e-20"), "0.00000000000000000001");
			assert.equal(await readValue("select $1::bool", true), true);
			assert.equal(await readValue("select $1::int + 1", 41), 42);
			assert.equal(await readValue("select $1::text", null), null);
		});

		test("of columns with one name are all there", async () => {
			const { columns, rows } = await run('select 1 as id, 2 as id, 3 as id_2, 4 as "__proto__"');
			assert.deepEqual(columns, ["id", "id_2", "id_2_2", "__proto___2"]);
			assert.deepEqual(rows, [[1, 2, 3, 4]]);
		});
	});

	test("values cannot become part of the statement", async () => {
		await run("create table app.people (name text)");
		const hostile = "x'); drop table app.people; --";
		assert.equal((await run("insert into app.people values ($1)", [hostile])).changed, 1);
		assert.deepEqual((await run("select name from app.people")).rows, [[hostile]]);
	});

	test("a second command is refused", async () => {
		await refuses(run("select 1; select 2"), /cannot insert multiple commands/);
		await refuses(run("select 1; drop table app.people"), /cannot insert multiple commands/);
	});

	test("a list is one transaction", async () => {
		await run("create table app.accounts (id int primary key, balance numeric check (balance >= 0))");
		await run("insert into app.accounts values (1, 10), (2, 0)");
		const transfer = (amount: string) => [
			{ sql: "update app.accounts set balance = balance + $1 where id = 2", params: [amount] },
			{
				sql: "update app.accounts set balance = balance - $1 where id = 1 returning balance",
				params: [amount],
			},
		];
		const results = await databases.run(shop, buildJob(transfer("4.5")), NEVER);
		assert.deepEqual(
			results.map(({ rows, changed }) => [rows, changed]),
			[
				[[], 1],
				[[["5.5"]], 1],
			],
		);
		await refuses(databases.run(shop, buildJob(transfer("100")), NEVER), /violates check constraint/);
		const { rows } = await run("select balance from app.accounts order by id");
		assert.deepEqual(rows, [["5.5"], ["4.5"]]);
	});

	test("a statement that begins or ends a transaction is refused", async () => {
		for (const sql of [
			"commit",
			" /* a /* b */ */ -- c\n ROLLBACK",
			"begin",
			"START transaction",
			"end",
			"savepoint a",
		])
			await refuses(run(sql), /must not begin or end a transaction/);
	});

	test("read-only refuses changes, and cannot be left", async () => {
		const readOnly = { isReadOnly: true };
		assert.equal((await run("select 1", [], readOnly)).rows.length, 1);
		await refuses(run("insert into app.people values ('a')", [], readOnly), /read-only transaction/);
		await refuses(
			run("with a as (delete from app.people returning 1) select * from a", [], readOnly),
			/read-only/,
		);
		for (const sql of ["set transaction read write", "set transaction_read_only = off"])
			await refuses(
				databases.run(
					shop,
					buildJob(
						[
							{ sql, params: [] },
							{ sql: "delete from app.people", params: [] },
						],
						readOnly,
					),
					NEVER,
				),
				/read-write mode must be set before any query|read-only/,
			);
		assert.equal(await readValue("select count(*) from app.people"), 1);
	});

	test("read-only is not left by settings, blocks, functions or a prepared transaction", async () => {
		await run("create table app.kept (id int)");
		await run(`create function app.sneak() returns int language plpgsql as $$
			begin perform set_config('transaction_read_only', 'off', true); insert into app.kept values (1); return 1; end $$`);
		const insert = "insert into app.kept values (1)";
		const attempts = [
			["select set_config('transaction_read_only', 'off', true)", insert],
			["select set_config('default_transaction_read_only', 'off', false)", insert],
			["set session characteristics as transaction read write", insert],
			["prepare transaction 'one'", insert],
			["prepare /* a */ transaction 'two'", insert],
			[`do $$ begin set transaction read write; ${insert}; end $$`],
			[`do $$ begin perform set_config('transaction_read_only', 'off', false); ${insert}; end $$`],
			["select app.sneak()"],
			["insert into app.kept select app.sneak()"],
			["with one as (insert into app.kept values (1) returning 1) select * from one"],
			["explain analyze insert into app.kept values (1)"],
			["select nextval('app.none'); insert into app.kept values (1)"],
		];
		for (const texts of attempts) {
			const job = buildJob(
				texts.map((sql) => ({ sql, params: [] })),
				{ isReadOnly: true },
			);
			await assert.rejects(databases.run(shop, job, NEVER), DatabaseProblem, texts.join("; "));
		}
		assert.equal(await readValue("select count(*) from app.kept"), 0);
		await admin.query("rollback prepared 'one'");
		await admin.query("rollback prepared 'two'");
		const { columns, rows, changed, hasMore } = await run("select 1 as a, $1::text[] as b", [["x"]], {
			isReadOnly: true,
		});
		assert.deepEqual([columns, rows, changed, hasMore], [["a", "b"], [[1, ["x"]]], 0, false]);
		const some = await run("select generate_series(1, 10)", [], { isReadOnly: true, maxRows: 2 });
		assert.deepEqual([some.rows, some.hasMore], [[[1], [2]], true]);
	});

	test("a statement that ends the transaction of a list stops it", async () => {
		const insert = { sql: "insert into app.kept values (1)", params: [] };
		const job = buildJob([insert, { sql: "prepare transaction 'one'", params: [] }, insert]);
		await refuses(databases.run(shop, job, NEVER), /ended the transaction/);
		await admin.query("rollback prepared 'one'");
		assert.equal(await readValue("select count(*) from app.kept"), 0);
	});

	test("nothing is copied from or to the client", async () => {
		const soon = AbortSignal.timeout(5_000);
		await assert.rejects(run("copy app.kept from stdin", [], {}, soon), /nothing can be copied/);
		await run("copy (select generate_series(1, 10)) to stdout", [], {}, soon);
		assert.equal(await readValue("select count(*) from app.kept"), 0);
	});

	test("rows beyond the limit are not read", async () => {
		const sql = "select generate_series(1, 1000000000)";
		const { rows, hasMore } = await run(sql, [], { maxRows: 3 });
		assert.deepEqual([rows, hasMore], [[[1], [2], [3]], true]);
		assert.equal((await run("select 1", [], { maxRows: 1 })).hasMore, false);
		await refuses(
			run("select repeat('x', 1000) from generate_series(1, 10000)", [], { maxRows: 10_000 }),
			/larger/,
		);
	});

	async function read(sql: string, more: { maxRows?: number; isReadOnly?: boolean } = {}, signal = NEVER) {
		let [count, hasMore, first]: [number, boolean, Json] = [0, false, null];
		const job = { statement: { sql, params: [] }, isReadOnly: true, maxRows: 1_000_000, ...more };
		for await (const batch of databases.read(shop, job, signal)) {
			if (count === 0) first = { columns: [...batch.columns], row: [...(batch.rows[0] ?? [])] };
			count += batch.rows.length;
			hasMore = batch.hasMore;
		}
		return { count, hasMore, first };
	}

	test("many rows are read in parts, in little memory", async () => {
		const many =
			"select n as id, repeat('x', 200) as text, array['sad','happy']::mood[] as moods from generate_series(1, 100000) as n";
		await read(many, { maxRows: 5_000 });
		const before = process.memoryUsage().rss;
		let peak = before;
		const watch = setInterval(() => {
			peak = Math.max(peak, process.memoryUsage().rss);
		}, 5);
		const { count, hasMore, first } = await read(many);
		clearInterval(watch);
		assert.deepEqual([count, hasMore], [100_000, false]);
		assert.deepEqual(first, {
			columns: ["id", "text", "moods"],
			row: [1, "x".repeat(200), ["sad", "happy"]],
		});
		assert.ok(peak - before < 32 * 1024 * 1024, `${(peak - before) / 1e6} MB more`);
		assert.deepEqual((await read(many, { maxRows: 100 })).hasMore, true);
		assert.deepEqual((await read("select 1 where false")).count, 0);
		await refuses(read("select repeat('x', 100000000)"), /larger/);
	});

	test("what is read in parts is committed at the end, or not at all", async () => {
		await run("create table app.seen (id int)");
		const insert = "insert into app.seen select generate_series(1, 1000) returning id";
		assert.equal((await read(insert, { isReadOnly: false })).count, 1_000);
		await refuses(read(insert), /read-only transaction/);
		const job = { statement: { sql: insert, params: [] }, isReadOnly: false, maxRows: 1_000 };
		for await (const _ of databases.read(shop, job, NEVER)) break;
		assert.equal(await readValue("select count(*) from app.seen"), 1_000);
	});

	test("one huge value is bounded", async () => {
		const before = process.memoryUsage().rss;
		await refuses(run("select repeat('x', 200000000)"), /larger/);
		assert.ok(process.memoryUsage().rss - before < 100_000_000);
	});

	test("the state of a connection is not seen by the next call", async () => {
		await run("set search_path = app");
		assert.equal(await readValue("show search_path"), '"$user", public');
		await run("select set_config('app.who', 'me', false)");
		assert.equal(await readValue("select current_setting('app.who', true)"), null);
	});

	test("connections are used again, each by one call at a time", async () => {
		const first = await readValue("select pg_backend_pid()");
		assert.equal(await readValue("select pg_backend_pid()"), first);
		const sleeping = Array.from({ length: 20 }, () => run("select pg_sleep(0.02), pg_backend_pid()"));
		const pids = new Set((await Promise.all(sleeping)).map(({ rows }) => rows[0]?.[1]));
		assert.ok(pids.size > 1 && pids.size <= 8, `${pids.size} connections`);
		await refuses(run("select 1 / 0"), /division by zero/);
		assert.ok(pids.has(await readValue("select pg_backend_pid()")), "an error costs no connection");
	});

	test("cancelling reaches the server", async () => {
		const control = new AbortController();
		const working = run("select pg_sleep(60)", [], {}, control.signal);
		const countRunning = async () =>
			(
				await admin.query(
					"select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep(60)%'",
				)
			).rows.length;
		while ((await countRunning()) === 0);
		control.abort(new Error("enough"));
		await assert.rejects(working, /enough/);
		const until = Date.now() + 5_000;
		while ((await countRunning()) > 0) assert.ok(Date.now() < until, "it still runs");
	});

	test("a wrong password and an unknown database are told without the password", async () => {
		const one = buildJob([{ sql: "select 1", params: [] }]);
		const stranger = { ...shop, key: "stranger", password: "incorrect horse" };
		await refuses(databases.run(stranger, one, NEVER), /password authentication failed/);
		const wrong = { ...shop, key: "wrong", database: "nothing" };
		await refuses(
			databases.run(wrong, buildJob([{ sql: "select 1", params: [] }]), NEVER),
			/database "nothing" does not exist/,
		);
	});

	test("a kept connection that the server closed is replaced for reading only", async () => {
		const end = () =>
			admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'");
		await run("select 1");
		await end();
		assert.equal((await run("select 1", [], { isReadOnly: true })).rows.length, 1);
		const control = run("select pg_sleep(10)");
		setTimeout(end, 200);
		await assert.rejects(control, /terminating connection|closed the connection/);
	});

	describe("addresses", () => {
		const job = buildJob([{ sql: "select 1", params: [] }]);

		test("that are private are refused unless they are allowed", async () => {
			const guarded = nodeDatabases({ allow: { entries: [] } });
			await refuses(
				guarded.run(shop, job, NEVER),
				/not a public address: to allow it, add it to ALLOW_PRIVATE_HOSTS/,
			);
			await refuses(guarded.run({ ...shop, hostname: "localhost" }, job, NEVER), /not a public name/);
			const rebinding = nodeDatabases({
				allow: { entries: [] },
				resolve: async () => [
					{ address: "93.184.215.14", family: 4 },
					{ address: "10.0.0.1", family: 4 },
				],
			});
			await refuses(
				rebinding.run({ ...shop, hostname: "db.example.com" }, job, NEVER),
				/resolves to 10\.0\.0\.1/,
			);
		});

		test("that a socket reached in truth are checked too", async () => {
			const guarded = nodeDatabases({
				allow: { entries: [] },
				resolve: async () => [{ address: "93.184.215.14", family: 4 }],
				dial: () => connect(shop.port, "127.0.0.1"),
			});
			await refuses(
				guarded.run({ ...shop, hostname: "db.example.com" }, job, NEVER),
				/resolves to 127\.0\.0\.1/,
			);
		});

		test("with TLS need a server that has it", async () => {
			await refuses(
				databases.run({ ...shop, key: "tls", usesTls: true }, job, NEVER),
				/does not support TLS/,
			);
		});
	});

	test("TLS is verified by authority and name", async () => {
		const { rows } = await admin.query("show data_directory");
		const folder = rows[0].data_directory;
		for (const [name, text] of [
			["server.crt", TEST_CERTIFICATE.cert],
			["server.key", TEST_CERTIFICATE.key],
		] as const) {
			writeFileSync(join(folder, name), text, { mode: 0o600 });
			const { uid, gid } = statSync(folder);
			chownSync(join(folder, name), uid, gid);
		}
		await admin.query("alter system set ssl = on");
		await admin.query("select pg_reload_conf()");
		await checkTls(shop);
	});

	test("a server that sends endlessly before the login is cut off", async () => {
		const sockets = new Set<Socket>();
		const flood: Server = createServer((socket) => {
			sockets.add(socket);
			socket.on("error", () => {});
			const chunk = Buffer.alloc(65_536);
			// A message of a gigabyte.
			chunk.write("N");
			chunk.writeInt32BE(1_000_000_000, 1);
			const send = () => {
				while (!socket.destroyed && socket.write(chunk));
			};
			socket.on("drain", send);
			send();
		}).listen(0, "127.0.0.1");
		await new Promise((resolve) => flood.once("listening", resolve));
		const { port } = flood.address() as { port: number };
		const before = process.memoryUsage().rss;
		const job = buildJob([{ sql: "select 1", params: [] }]);
		await assert.rejects(databases.run({ ...shop, key: "flood", port }, job, NEVER));
		assert.ok(process.memoryUsage().rss - before < 100_000_000);
		for (const socket of sockets) socket.destroy();
		flood.close();
	});
});
