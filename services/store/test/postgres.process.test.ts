import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { chooseStoreMigrations } from "../src/storage/postgres/migrations.ts";
import { testDailyLimits } from "./daily-limits.ts";
import { openVectorWorld, vectorContract } from "./vectors/contract.ts";

describe("the store on PostgreSQL", () => {
	let server: PostgresServer;
	before(async () => {
		server = await startPostgres();
	});
	after(() => server.stop());

	let schemas = 0;
	async function open(context: TestContext) {
		const sql = await openPostgres(server.url, { schema: `s${++schemas}` });
		context.after(() => sql.close());
		await migrate(sql, chooseStoreMigrations(sql));
		return sql;
	}

	describe("vectors", () => {
		for (const { name, run } of vectorContract)
			test(name, async (context) => run(await openVectorWorld(await open(context))));
	});

	test("documents with U+0000 are read and changed, and keep it", async (context) => {
		const sql = await open(context);
		const document = { a: "\0", b: { c: "x\0y" }, d: "\\u0000", e: 1, "f\0": [] };
		const text = JSON.stringify(document);
		const [row] = await sql.read<Record<string, string>>(
			statement(
				`select ?1 ->> '$.a' as a, ?1 ->> '$.d' as d, ?1 ->> '$.e' as e, ?1 -> '$.b' as b,
					json_set(?1, '$.e', 2) as changed, json_remove(?1, '$.e') as removed, json_patch(?1, ?2) as patched`,
				text,
				JSON.stringify({ g: "\0" }),
			),
		);
		assert.deepEqual([row?.a, row?.d, row?.e], ["\0", "\\u0000", "1"]);
		assert.equal(row?.b, JSON.stringify(document.b));
		assert.equal(row?.changed, JSON.stringify({ ...document, e: 2 }));
		const { e: _, ...others } = document;
		assert.equal(row?.removed, JSON.stringify(others));
		assert.equal(row?.patched, JSON.stringify({ ...document, g: "\0" }));
	});

	describe("daily limits", () => testDailyLimits(open, 0.25));
});
