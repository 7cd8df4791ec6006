import assert from "node:assert/strict";
import { isMigrated, migrate, NewerDatabase } from "../../src/migrations.ts";
import { type Sql, statement } from "../../src/sql.ts";
import type { ContractCase } from "./contract.ts";

const create = statement(
	"create table things (id integer primary key, name text unique, size real, raw blob) strict",
);
const insert = (name: string, size = 1) =>
	statement("insert into things (name, size) values (?1, ?2)", name, size);
const names = async (sql: Sql) =>
	(await sql.read<{ name: string }>(statement("select name from things order by id"))).map((row) => row.name);

/** Each case gets an empty database. */
export const sqlContract: readonly ContractCase<Sql>[] = [
	{
		name: "a value is read as it was bound",
		async run(sql) {
			await sql.write([create]);
			await sql.write([
				statement(
					"insert into things (name, size) values (?1, ?2)",
					"Robert'); drop table things;-- 編碼 🧵",
					1.5,
				),
			]);
			const rows = await sql.read(statement("select id, name, size, raw from things"));
			assert.deepEqual(
				{ ...(rows[0] as object) },
				{ id: 1, name: "Robert'); drop table things;-- 編碼 🧵", size: 1.5, raw: null },
			);
		},
	},
	{
		name: "bytes are read as they were bound",
		async run(sql) {
			const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
			await sql.write([create, statement("insert into things (raw) values (?1)", bytes)]);
			const rows = await sql.read<{ raw: unknown }>(statement("select raw from things"));
			const [outcome] = await sql.write([statement("update things set size = 1 returning raw")]);
			for (const raw of [rows[0]?.raw, outcome?.rows[0]?.raw]) {
				assert.ok(raw instanceof Uint8Array);
				assert.deepEqual([...raw], [...bytes]);
			}
		},
	},
	{
		name: "a whole number of up to 53 bits is read as it was bound",
		async run(sql) {
			await sql.write([
				statement("create table numbers (id integer primary key, whole integer, total real) strict"),
			]);
			for (const number of [0, -1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
				const [outcome] = await sql.write([
					statement("insert into numbers (whole, total) values (?1, ?1) returning whole, total", number),
				]);
				assert.deepEqual({ ...outcome?.rows[0] }, { whole: number, total: number });
			}
			const [sums] = await sql.read<{ count: number; sum: number }>(
				statement("select count(*) as count, sum(whole) as sum from numbers where whole > ?1", 2 ** 31),
			);
			assert.deepEqual({ ...sums }, { count: 1, sum: Number.MAX_SAFE_INTEGER });
		},
	},
	{
		name: "null may be bound instead of any type",
		async run(sql) {
			await sql.write([create]);
			const text = `insert into things (name, size, raw) select ?1, ?2, ?3
				where ?4 is null or exists (select 1 from things where name = ?4) returning name, size, raw`;
			const [outcome] = await sql.write([statement(text, null, null, null, null)]);
			assert.deepEqual({ ...outcome?.rows[0] }, { name: null, size: null, raw: null });
			const [refused] = await sql.write([statement(text, "a", 1, new Uint8Array(1), "nobody")]);
			assert.equal(refused?.changes, 0);
		},
	},
	{
		name: "texts are compared by their bytes, and only ASCII has lower case",
		async run(sql) {
			const texts = ["Z", "a", "B", "ä", "Ä", "z", "一", "_", "a b", "ab"];
			await sql.write([create, ...texts.map((text) => insert(text))]);
			const sorted = await sql.read<{ name: string }>(statement("select name from things order by name"));
			assert.deepEqual(
				sorted.map(({ name }) => name),
				texts.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
			);
			const [lower] = await sql.read<{ stored: string; bound: string }>(
				statement("select lower(name) as stored, lower(?1) as bound from things where name = ?2", "ÄA", "Ä"),
			);
			assert.deepEqual({ ...lower }, { stored: "Ä", bound: "Äa" });
		},
	},
	{
		name: "a row with an id beyond a safe integer can be written",
		async run(sql) {
			await sql.write([create]);
			const [outcome] = await sql.write([statement("insert into things (id) values (9008161327415296)")]);
			assert.equal(outcome?.changes, 1);
		},
	},
	{
		name: "a numbered placeholder may be used several times",
		async run(sql) {
			const rows = await sql.read<{ same: number }>(statement("select ?1 = ?1 and ?2 > ?1 as same", 1, 2));
			assert.equal(rows[0]?.same, 1);
		},
	},
	{
		name: "a unit of work runs in order, and each statement returns its rows and changes",
		async run(sql) {
			const outcomes = await sql.write([
				create,
				insert("a"),
				insert("b"),
				statement("update things set size = 2"),
				statement("delete from things where name = ?1 returning name", "a"),
				statement("select count(*) as left from things"),
			]);
			assert.equal(outcomes[3]?.changes, 2);
			assert.equal(outcomes[4]?.rows[0]?.name, "a");
			assert.equal(outcomes[5]?.rows[0]?.left, 1);
		},
	},
	{
		name: "changes() reflects the previous statement",
		async run(sql) {
			await sql.write([create]);
			const outcomes = await sql.write([
				statement("insert into things (name) values ('a'), ('b'), ('c')"),
				statement(
					"insert into things (name, size) select 'count', changes() where changes() > 0 returning size",
				),
			]);
			assert.equal(outcomes[1]?.rows[0]?.size, 3);
		},
	},
	{
		name: "a unit of work whose last statement fails is rolled back",
		async run(sql) {
			await sql.write([create, insert("kept")]);
			await assert.rejects(sql.write([insert("new"), insert("kept")]), /unique/i);
			assert.deepEqual(await names(sql), ["kept"]);
		},
	},
	{
		name: "of concurrent units, a failed one does not affect the others",
		async run(sql) {
			await sql.write([create, insert("taken")]);
			const results = await Promise.allSettled([
				sql.write([insert("one")]),
				sql.write([insert("two"), insert("taken")]),
				sql.write([insert("three"), insert("four")]),
			]);
			assert.deepEqual(
				results.map((result) => result.status),
				["fulfilled", "rejected", "fulfilled"],
			);
			assert.deepEqual((await names(sql)).sort(), ["four", "one", "taken", "three"]);
		},
	},
	{
		name: "fifty concurrent upserts of one key leave one row",
		async run(sql) {
			await sql.write([create]);
			const upsert = statement(
				`insert into things (name, size) values ('key', 1)
				on conflict (name) do update set size = things.size + 1 returning size`,
			);
			const outcomes = await Promise.all(Array.from({ length: 50 }, () => sql.write([upsert])));
			assert.equal(outcomes.filter(([outcome]) => outcome?.rows[0]?.size === 1).length, 1);
			const rows = await sql.read<{ size: number }>(statement("select size from things"));
			assert.deepEqual(
				rows.map((row) => row.size),
				[50],
			);
		},
	},
	{
		name: "a foreign key is enforced",
		async run(sql) {
			await sql.write([
				statement("create table parents (id text primary key) strict"),
				statement("create table children (parent text references parents (id)) strict"),
			]);
			await assert.rejects(sql.write([statement("insert into children values ('nobody')")]), /foreign key/i);
		},
	},
	{
		name: "migrations are applied once and in order",
		async run(sql) {
			const first = { version: 1, name: "first", statements: [create.text] };
			const second = {
				version: 2,
				name: "second",
				statements: ["alter table things add column colour text"],
			};
			await migrate(sql, [first]);
			assert.equal(await isMigrated(sql, [first, second]), false);
			await migrate(sql, [first, second]);
			await migrate(sql, [first, second]);
			assert.equal(await isMigrated(sql, [first, second]), true);
			await sql.write([statement("insert into things (name, colour) values ('a', 'red')")]);
		},
	},
	{
		name: "a migration that fails halfway is rolled back",
		async run(sql) {
			const broken = {
				version: 1,
				name: "broken",
				statements: [create.text, "insert into nowhere values (1)"],
			};
			await assert.rejects(migrate(sql, [broken]));
			await migrate(sql, [{ version: 1, name: "mended", statements: [create.text] }]);
			assert.deepEqual(await names(sql), []);
		},
	},
	{
		name: "a database of a newer version is rejected",
		async run(sql) {
			await migrate(sql, [{ version: 7, name: "future", statements: [create.text] }]);
			await assert.rejects(migrate(sql, [{ version: 1, name: "past", statements: [] }]), NewerDatabase);
		},
	},
	{
		name: "the size grows with what is written",
		async run(sql) {
			await sql.write([create]);
			const empty = (await sql.size()) ?? Number.NaN;
			// Random, because a database may compress what it stores.
			const bytes = crypto.getRandomValues(new Uint8Array(60_000));
			for (let rows = 0; rows < 4; rows++)
				await sql.write([statement("insert into things (raw) values (?1)", bytes)]);
			const full = (await sql.size()) ?? Number.NaN;
			assert.ok(empty > 0 && full - empty >= 200_000, `${empty}, then ${full}`);
		},
	},
	{
		name: "compacting keeps existing data",
		async run(sql) {
			await sql.write([create, insert("a"), insert("b")]);
			await sql.write([statement("delete from things where name = 'a'")]);
			await sql.compact();
			assert.deepEqual(await names(sql), ["b"]);
		},
	},
];
