import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { splitStatements } from "../../src/cloudflare/statements.ts";

const SERVICES = new URL("../../../../services/", import.meta.url);

describe("statements of a migration", () => {
	test("does not split at a semicolon in a string, a name, a comment or a trigger", () => {
		const statements = splitStatements(`
			-- first; second
			create table "a;b" (x text default ';''', [c;d] text); /* ; */
			create trigger t after insert on "a;b" when new.x <> ';' begin
				update "a;b" set x = case when new.x = 'begin' then 'end;' else '' end;
				delete from "a;b" where x = '';
			end;
			insert into "a;b" (x) values ('one
two; begin')`);
		assert.equal(statements.length, 3);
		assert.match(statements[0] ?? "", /^create table "a;b" \(x text default ';''', \[c;d\] text\);$/);
		assert.match(statements[1] ?? "", /^create trigger .* BEGIN update .* END; delete .* = ''; END;$/);
		assert.equal(statements[2], `insert into "a;b" (x) values ('one\ntwo; begin');`);
	});

	test("leaves begin and end of other statements unchanged", () => {
		assert.deepEqual(splitStatements("select case 1 when 1 then 2 end; select 3 as begin; select 4"), [
			"select case 1 when 1 then 2 end;",
			"select 3 as begin;",
			"select 4;",
		]);
	});

	for (const [service, least] of [
		["store", 40],
		["executor", 5],
	] as const) {
		test(`the migrations of the ${service} give the same schema statement by statement`, () => {
			const migrations = new URL(`${service}/migrations/`, SERVICES);
			const [whole, split] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
			for (const file of readdirSync(migrations).sort()) {
				const sql = readFileSync(new URL(file, migrations), "utf8");
				whole.exec(sql);
				for (const statement of splitStatements(sql)) {
					assert.ok(!statement.includes("\n"), statement);
					split.prepare(statement).run();
				}
			}
			const schema = (database: DatabaseSync) =>
				database
					.prepare("select type, name, sql from sqlite_master order by name")
					.all()
					.map(({ type, name, sql }) => [type, name, normalize(String(sql))]);
			assert.deepEqual(schema(split), schema(whole));
			assert.ok(schema(split).length > least);
		});
	}
});

const normalize = (sql: string): string =>
	sql.replaceAll(/--.*$/gm, "").toLowerCase().replaceAll(/\s+/g, " ");
