import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { AuthRecipe } from "@tripline/contract/recipes";
import type { DatabaseJob, Databases, StatementResult } from "@tripline/platform/databases";
import { DatabaseProblem } from "@tripline/platform/databases";
import { databaseAuth } from "../src/seeds/auth-databases.ts";
import { createRunDatabases } from "../src/sql-query/create.ts";
import { toDatabase } from "../src/sql-query/database.ts";
import { memoryFiles } from "./memory-files.ts";
import { listProblems, runForError, runForOutput } from "./run-node.ts";

const FIELDS = { host: "db.example.com", database: "shop", user: "app", password: "hush-hush-hush" };
const NOTHING: StatementResult = { columns: [], rows: [], changed: 0, hasMore: false };

const NO_DATABASES: Databases = {
	run: () => Promise.reject(new Error("not expected")),
	async *read() {},
	async close() {},
};
const JOB: DatabaseJob = { statements: [], isReadOnly: false, maxRows: 1, maxBytes: 1 };

const buildCredential = (fields: Readonly<Record<string, string>> = {}) => ({
	name: "shop",
	key: "ns\nshop\n1",
	recipe: databaseAuth[0] as AuthRecipe,
	fields: { ...FIELDS, ...fields },
});

/** Databases that answer what they are given, and keep what they were asked. */
function openDatabases(answer: (job: DatabaseJob) => StatementResult[] = () => [NOTHING]) {
	const asked: { database: Parameters<Databases["run"]>[0]; job: DatabaseJob }[] = [];
	const databases: Databases = {
		async run(database, job) {
			asked.push({ database, job });
			return answer(job);
		},
		async *read(database, { statement, ...job }) {
			asked.push({ database, job: { ...job, maxBytes: 0, statements: [statement] } });
			for (const { columns, rows, hasMore } of answer({ ...job, maxBytes: 0, statements: [statement] }))
				yield { columns, rows, hasMore };
		},
		async close() {},
	};
	const effects = { databases: createRunDatabases(databases, async () => buildCredential(), null) };
	return { asked, effects };
}

describe("a credential of a database", () => {
	test("names the only server that its password goes to", () => {
		const { key: _, ...database } = toDatabase(buildCredential());
		assert.deepEqual(database, {
			engine: "postgresql",
			hostname: "db.example.com",
			port: 5432,
			database: "shop",
			user: "app",
			password: FIELDS.password,
			usesTls: true,
		});
		const local = toDatabase(buildCredential({ host: "[::1]:6543", tls: "off", ca: "PEM" }));
		assert.deepEqual([local.hostname, local.port, local.usesTls, local.trust], ["::1", 6543, false, "PEM"]);
	});

	test("keeps connections apart from those of other settings, without its password", () => {
		const keys = [{}, { host: "other.example.com" }, { user: "root" }, { tls: "off" }].map(
			(fields) => toDatabase(buildCredential(fields)).key,
		);
		assert.equal(new Set(keys).size, keys.length);
		for (const key of keys) assert.ok(!key.includes(FIELDS.password));
	});

	test("must have a host, and a known value for tls", () => {
		for (const host of ["", "a/b", "*.example.com"])
			assert.throws(() => toDatabase(buildCredential({ host })), /names no host/, host);
		assert.throws(() => toDatabase(buildCredential({ tls: "no" })), /must have verify or off/);
		assert.throws(() => toDatabase(buildCredential({ password: "" })), /has no password/);
	});

	test("of another type is refused", async () => {
		const recipe: AuthRecipe = {
			id: "postgresql",
			title: "Mine",
			type: "bearer",
			fields: [{ name: "token", secret: true, help: "" }],
			hosts: ["example.com"],
			inject: { token: "{token}" },
		};
		assert.throws(() => toDatabase({ ...buildCredential(), recipe }), /is not one of a database/);
	});
});

describe("sql_query", () => {
	test("passes values apart from the statement", async () => {
		const { asked, effects } = openDatabases(() => [
			{
				columns: ["id", "name"],
				rows: [
					[1, "a"],
					[2, null],
				],
				changed: 0,
				hasMore: true,
			},
		]);
		const params = {
			credential: "shop",
			sql: "select * from people where name = $1",
			params: ["{{input.name}}", { list: ["{{input.name}}"] }],
			limit: 2,
			read_only: true,
		};
		const input = { name: "'; drop table people; --" };
		assert.deepEqual(await runForOutput("sql_query", params, { input, effects }), {
			rows: [
				{ id: 1, name: "a" },
				{ id: 2, name: null },
			],
			changed: 0,
			more: true,
		});
		const [{ job } = { job: null }] = asked;
		assert.deepEqual(job?.statements, [{ sql: params.sql, params: [input.name, { list: [input.name] }] }]);
		assert.deepEqual([job?.isReadOnly, job?.maxRows], [true, 2]);
	});

	test("writes rows into a file", async () => {
		const { password } = FIELDS;
		const { asked, effects } = openDatabases(() => [
			{
				columns: ["id", "note"],
				rows: [
					[1, '=1+1, "x"'],
					[2, null],
				],
				changed: 0,
				hasMore: false,
			},
			{ columns: ["id", "note"], rows: [[3, { pass: password }]], changed: 0, hasMore: true },
		]);
		const kept = memoryFiles();
		const write = async (into: string) => {
			const params = { credential: "shop", sql: "select * from people", into };
			const output = (await runForOutput("sql_query", params, {
				effects: { ...effects, files: kept.files },
			})) as unknown as { file: FileValue; count: number; more: boolean };
			assert.deepEqual([output.file.name, output.count, output.more], [into, 3, true]);
			return new TextDecoder().decode(kept.bytes(output.file));
		};
		const csv = `id,note\r\n1,"'=1+1, ""x"""\r\n2,\r\n3,"{""pass"":""[redacted]""}"\r\n`;
		assert.equal(await write("people.csv"), csv);
		const lines =
			'{"id":1,"note":"=1+1, \\"x\\""}\n{"id":2,"note":null}\n{"id":3,"note":"{\\"pass\\":\\"[redacted]\\"}"}\n';
		assert.equal(await write("people.jsonl"), lines);
		assert.equal(asked[0]?.job.maxRows, 1_000_000);
	});

	test("redacts the credential from rows and errors", async () => {
		const { password } = FIELDS;
		const { effects } = openDatabases(() => [
			{ columns: ["a", "b"], rows: [[`x ${password} y`, { deep: [password] }]], changed: 0, hasMore: false },
		]);
		const output = await runForOutput("sql_query", { credential: "shop", sql: "select 1" }, { effects });
		assert.ok(!JSON.stringify(output).includes(password));
		const failing = openDatabases(() => {
			throw new DatabaseProblem(`no user ${password}`);
		});
		const error = await runForError("sql_query", { credential: "shop", sql: "select 1" }, failing);
		assert.equal(error, "no user [redacted]");
	});

	test("redacts a short password where it is a word", async () => {
		const rows = [
			["pa55", "a"],
			["xpa55", "b&#112;a55"],
			["pa5", "5"],
			[55, "pa55"],
		];
		const [result] = await createRunDatabases(
			{ ...NO_DATABASES, run: async () => [{ ...NOTHING, columns: ["a", "b"], rows }] },
			async () => ({ ...buildCredential({ password: "pa55" }), key: "short" }),
			null,
		).run({ credential: "shop" }, JOB, new AbortController().signal);
		assert.deepEqual(result?.rows, [
			["[redacted]", "a"],
			["xpa55", "b&#112;a55"],
			["pa5", "5"],
			[55, "[redacted]"],
		]);
	});

	test("checks values that come from a template", async () => {
		const run = async (all: Json) => {
			const { asked, effects } = openDatabases();
			const params = { credential: "shop", sql: "select $1", params: "{{input.all}}" };
			await runForOutput("sql_query", params, { input: { all }, effects });
			return asked[0]?.job;
		};
		assert.deepEqual((await run([1, 2]))?.statements, [{ sql: "select $1", params: [1, 2] }]);
		await assert.rejects(run("x"), /"params" must be a list/);
		await assert.rejects(run(Array(1001).fill(1)), /at most 1000/);
	});

	test("says what is wrong with its parameters", () => {
		const refuse = (params: object, message: RegExp) =>
			assert.match(listProblems("sql_query", { credential: "shop", ...params }).join("; "), message);
		refuse({}, /"sql" is required/);
		refuse({ sql: "a", statements: [{ sql: "b" }] }, /set exactly one/);
		refuse({ statements: [{ sql: "b" }], params: [1] }, /belongs into each/);
		refuse({ sql: "select '{{input.a}}'", params: ["{{input.a}}"] }, /"sql" is not a template/);
		refuse(
			{ statements: [{ sql: "select {{input.a}}", params: ["{{input.a}}"] }] },
			/"statements.0.sql" is not/,
		);
		refuse({ statements: "{{input.all}}" }, /"statements" must be a list/);
		refuse({ sql: "a", limit: 20_000 }, /at most 10000/);
		refuse({ sql: "a", into: "a.xlsx" }, /must end in/);
		refuse({ statements: [{ sql: "b" }], into: "a.csv" }, /rows of one statement/);
		refuse({ sql: "select 1\0" }, /NUL/);
		refuse({ sql: "a", params: Array(1001).fill(1) }, /at most 1000/);
		assert.deepEqual(
			listProblems("sql_query", { credential: "shop", sql: "select '{{1,2},{3,4}}'::int[]" }),
			[],
		);
	});

	test("needs a credential, and a platform that reaches databases", async () => {
		const { effects } = openDatabases();
		assert.match(await runForError("sql_query", { sql: "select 1" }, { effects }), /needs a credential/);
		assert.match(
			await runForError("sql_query", { file: "/srv/a.db", sql: "select 1" }, { effects }),
			/no folder is open to workflows/,
		);
		assert.match(
			await runForError("sql_query", { credential: "shop", sql: "select 1" }),
			/only by a service on Node/,
		);
	});
});
