import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { buildTermPrefix, LEVELS } from "../src/domain/search/terms.ts";
import { storeMigrations } from "../src/storage/migrations.ts";
import { chooseStoreMigrations } from "../src/storage/postgres/migrations.ts";
import { searchStorage } from "../src/storage/search.ts";
import { testDailyLimits } from "./daily-limits.ts";
import { fillIndex, testFinding } from "./search/find-contract.ts";
import { testTotals } from "./totals-contract.ts";
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

	describe("search among many entries", () => {
		let sql: Awaited<ReturnType<typeof openPostgres>>;
		before(async () => {
			sql = await openPostgres(server.url, { schema: "search" });
			await migrate(sql, chooseStoreMigrations(sql));
			await fillIndex(sql);
		});
		after(() => sql.close());

		testFinding(async () => sql);

		test("every list is the one that SQLite has, after deletions too", async (context) => {
			const sqlite = openSqlite(":memory:");
			context.after(() => sqlite.close());
			await migrate(sqlite, storeMigrations);
			await fillIndex(sqlite);
			const deletion = statement("delete from search where rowid between 19000 and 19500");
			await Promise.all([sql.write([deletion]), sqlite.write([deletion])]);
			const space = buildTermPrefix("o", "knowledge");
			const either = (...words: string[]) =>
				`(${words.flatMap((word) => LEVELS.map(({ kind }) => `"${space}${kind}${word}"`)).join(" OR ")})`;
			const conditions = [
				"",
				`AND ${either("rare")}`,
				`AND ${either("rare", "tenth")}`,
				`AND ${either("common", "filler", "half")}`,
				`AND ${either("common", "filler")} AND ${either("tenth", "unique")}`,
				`AND ${either("unique")} AND ${either("common", "filler", "third")}`,
				`AND ${either("absent")}`,
			];
			const terms = ["n", "whalf", "wtenth", "wrare", "wunique", "pthi", "wabsent"];
			for (const condition of conditions) {
				const expressions = terms.map((term) => `"${space}${term}" ${condition}`.trim());
				assert.deepEqual(
					await searchStorage(sql).index.listNewest(expressions, 300),
					await searchStorage(sqlite).index.listNewest(expressions, 300),
					condition,
				);
			}
		});
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

	testTotals(open);
});
