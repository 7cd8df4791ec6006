import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { type Service, startService } from "../src/service.ts";
import { parseSettings } from "../src/settings.ts";

const PASSWORD = "correct-horse-battery";

describe("sql_query in the service", () => {
	let root: string;
	let server: PostgresServer;
	let service: Service;
	const lines: string[] = [];

	before(async () => {
		root = mkdtempSync(join(tmpdir(), "tripline-databases-"));
		mkdirSync(join(root, "files"));
		new DatabaseSync(join(root, "files", "shop.db")).close();
		server = await startPostgres();
		service = await startService({
			settings: parseSettings({
				...{ PORT: "0", STORE_PORT: "0", DATA_DIR: join(root, "data") },
				ALLOW_PRIVATE_HOSTS: "127.0.0.1",
				ALLOW_FOLDERS: join(root, "files"),
			}),
			clock: systemClock,
			log: jsonLog({ level: "debug", clock: systemClock, write: (line) => lines.push(line) }),
			version: "0.0.0-test",
		});
		const { host } = new URL(server.url);
		const fields = { host, database: "postgres", user: "postgres", password: PASSWORD, tls: "off" };
		const put = await call("PUT", "/credentials/shop", { auth_recipe: "postgresql", fields });
		assert.equal(put.status, 201, JSON.stringify(put.body));
	});
	after(async () => {
		await service?.close();
		await server?.stop();
		rmSync(root, { recursive: true });
	});

	async function call(method: string, path: string, body: object) {
		const answer = await fetch(service.publicUrl + path, {
			method,
			headers: { "x-service-api-key": "default", "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
	}

	async function run(node: object, input: object = {}) {
		const config = { query: { component: "sql_query", credential: "shop", ...node } };
		const { status, body } = await call("POST", "/webhooks", {
			triplets: ["input >> then >> query"],
			config,
		});
		assert.equal(status, 201, JSON.stringify(body));
		return (await call("POST", `/webhooks/${body.token}/trigger`, input)).body;
	}

	test("reads and writes with values of the run", async () => {
		await run({ sql: "create table people (id int generated always as identity, name text, tags text[])" });
		const names = { ada: "Ada", hostile: "'); drop table people; --" };
		const insert = "insert into people (name, tags) values ($1, $2) returning id";
		const statements = [
			{ sql: insert, params: ["{{input.ada}}", ["x", "y"]] },
			{ sql: insert, params: ["{{input.hostile}}", []] },
		];
		const saved = await run({ statements }, names);
		assert.deepEqual(saved.data, {
			results: [
				{ rows: [{ id: 1 }], changed: 1, more: false },
				{ rows: [{ id: 2 }], changed: 1, more: false },
			],
		});
		const { data } = await run({ sql: "select * from people order by id", read_only: true });
		assert.deepEqual(data, {
			rows: [
				{ id: 1, name: "Ada", tags: ["x", "y"] },
				{ id: 2, name: names.hostile, tags: [] },
			],
			changed: 0,
			more: false,
		});
	});

	test("tells errors of the server, and never the password", async () => {
		const failed = await run({ sql: "select * from nothing" });
		assert.match(String(failed.error), /relation "nothing" does not exist \(42P01\)/);
		const echoed = await run({ sql: "select $1::text as value", params: [PASSWORD] });
		assert.deepEqual(echoed.data, { rows: [{ value: "[redacted]" }], changed: 0, more: false });
		assert.ok(!lines.join().includes(PASSWORD));
	});

	test("ends a statement after the node's time", async () => {
		const started = Date.now();
		const { error } = await run({ sql: "select pg_sleep(30)", timeout_ms: 300 });
		assert.match(String(error), /300 ms/);
		assert.ok(Date.now() - started < 5_000);
	});

	test("other runs go on beside queries of files without an end, of whose processes none is left", async () => {
		const sql = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";
		const file = join(root, "files", "shop.db");
		const endless = Array.from({ length: 4 }, () =>
			run({ credential: undefined, file, sql, timeout_ms: 5_000 }),
		);
		let ended = 0;
		for (const each of endless) void each.then(() => ended++);
		await waitUntil(() => listProcesses().length === 4);
		const { data } = await run({ sql: "select 1 as one", read_only: true });
		assert.deepEqual(data, { rows: [{ one: 1 }], changed: 0, more: false });
		assert.equal(ended, 0, "the others were still running");
		for (const { error } of await Promise.all(endless)) assert.match(String(error), /5000 ms/);
		await waitUntil(() => listProcesses().length === 0);
	});
});

/** Of those that query files. */
const listProcesses = (): string[] =>
	execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" })
		.split("\n")
		.filter((line) => line.includes("databases-sqlite-entry"));

async function waitUntil(isDone: () => boolean): Promise<void> {
	for (const until = Date.now() + 10_000; !isDone(); await wait(20))
		assert.ok(Date.now() < until, listProcesses().join("\n"));
}
