import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { after, before, describe, type TestContext, test } from "node:test";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { type Sql, statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { processStorage } from "@tripline/store/storage/processes";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { listTables, readRows } from "../../../test/sqlite-rows.ts";
import { lockDataFolder } from "../src/data-lock.ts";
import { type DatabaseName, openDatabase } from "../src/databases.ts";
import { refuseMovedDatabase, refuseMovedFolder } from "../src/move-marks.ts";
import { moveDeployment } from "../src/moving/deployment.ts";
import { parseSettings, type Settings, StartProblem } from "../src/settings.ts";
import { temporaryFolder } from "./process.ts";

const SHARED = { MASTER_KEY: createMasterKeyText(), MCP_OWNER_SECRET: "the owner's long secret" };

describe("a move", () => {
	let server: PostgresServer;
	let prefixes = 0;
	before(async () => {
		server = await startPostgres();
	});
	after(() => server.stop());

	/** A data folder, a prefix of schemas that nobody uses, and the settings for both. */
	function createPlaces(context: TestContext) {
		const folder = join(temporaryFolder(context), "data");
		mkdirSync(folder);
		const DATABASE_SCHEMA = `move_${++prefixes}`;
		return {
			folder,
			back: join(temporaryFolder(context), "back"),
			inFolder: parseSettings({ DATA_DIR: folder, DATABASE_SCHEMA }),
			inPostgres: parseSettings({ ...SHARED, DATABASE_URL: server.url, DATABASE_SCHEMA, DATA_DIR: folder }),
			openSchema: async (name: string): Promise<Sql> => {
				const sql = await openPostgres(server.url, { schema: `${DATABASE_SCHEMA}_${name}` });
				context.after(() => sql.close());
				return sql;
			},
		};
	}

	test("keeps every row as it is, there and back", async (context) => {
		const { folder, back, inFolder, inPostgres } = createPlaces(context);
		await fill(folder, "kv", "executor", "store");
		const there = await moveDeployment({ settings: inFolder, to: server.url, report() {} });
		const again = await moveDeployment({ settings: inPostgres, to: back, report() {} });
		assert.deepEqual(again.tables, there.tables);
		assert.deepEqual(readRows(back), readRows(folder));
	});

	test("goes on with the numbers of rows, also with those of deleted rows", async (context) => {
		const { folder, back, inFolder, inPostgres, openSchema } = createPlaces(context);
		await fill(folder, "store");
		const source = new DatabaseSync(join(folder, "store.db"));
		source.exec("delete from vector_blocks where id > 10");
		source.close();
		const template = `insert into templates (id, owner_id, name, slots_json, created_at, updated_at)
			values ('new', 'o', 'n', '[]', 1, 1) returning seq as number`;
		const block = `insert into vector_blocks (owner_id, entry_type, generation, stride, capacity, live, vectors)
			values ('o', 't', 1, 1, 1, 1, unhex('00')) returning id as number`;
		const insert = async (sql: Sql, text: string) =>
			(await sql.write([statement(text)]))[0]?.rows[0]?.number as number;
		await moveDeployment({ settings: inFolder, to: server.url, report() {} });
		const schema = await openSchema("store");
		assert.deepEqual([await insert(schema, template), await insert(schema, block)], [ROWS + 1, ROWS + 1]);
		await schema.write([
			statement("delete from vector_blocks where id > 10"),
			statement("delete from templates where id = 'new'"),
		]);
		await moveDeployment({ settings: inPostgres, to: back, report() {} });
		await using sql = await openDatabase("store", inFolder, back);
		assert.deepEqual([await insert(sql, template), await insert(sql, block)], [ROWS + 1, ROWS + 2]);
	});

	test("overwrites no deployment, and copies none twice", async (context) => {
		const one = createPlaces(context);
		const other = createPlaces(context);
		for (const { folder } of [one, other]) await fill(folder, "kv", "executor", "store");
		await moveDeployment({ settings: one.inFolder, to: server.url, report() {} });
		await refuse(
			{ ...other.inFolder, DATABASE_SCHEMA: one.inFolder.DATABASE_SCHEMA },
			server.url,
			/is not empty, and a move overwrites nothing/,
		);
		await refuse(one.inFolder, server.url, /was moved to postgres:.* on \d{4}-.*: delete moved-to there/);
		await refuse(one.inPostgres, other.folder, /is not empty/);
	});

	test("does not continue if the source was used since", async (context) => {
		const { folder, back, inFolder, inPostgres } = createPlaces(context);
		await fill(folder, "store");
		const stop = new Error("stopped");
		await assert.rejects(
			moveDeployment({
				settings: inFolder,
				to: server.url,
				report({ table }) {
					if (table === "store.triplets") throw stop;
				},
			}),
			stop,
		);
		assert.throws(
			() => refuseMovedFolder(folder),
			/is being moved to postgres:.*finish it with tripline move, or delete .*moved-to/,
		);
		await refuse(inPostgres, back, /has only a part of .*: finish that move first/);
		rmSync(join(folder, "moved-to"));
		refuseMovedFolder(folder);
		await refuse(
			inFolder,
			server.url,
			/unfinished move from .* that cannot continue.*drop schema .*_store cascade/,
		);
	});

	test("finds a row that differs, and names it", async (context) => {
		const { folder, inFolder, openSchema } = createPlaces(context);
		await fill(folder, "store");
		const schema = await openSchema("store");
		let changed: Promise<unknown> | undefined;
		await assert.rejects(
			moveDeployment({
				settings: inFolder,
				to: server.url,
				report({ step }) {
					if (step === "index")
						changed ??= schema.write([statement("update sources set hash = 'x' where id = 7")]);
				},
			}),
			/^MoveDifference: store\.sources: the row \["7"\] differs in the target\. .*drop schema/,
		);
		await changed;
		await assert.rejects(
			refuseMovedDatabase(schema, "it"),
			/it has only a part of .*: finish it with tripline move/,
		);
	});

	test("needs a service that is stopped, on both sides", async (context) => {
		const { folder, back, inFolder, inPostgres, openSchema } = createPlaces(context);
		await fill(folder, "store");
		const lock = lockDataFolder(folder);
		await refuse(inFolder, server.url, /is used by another process: stop that one/);
		lock.release();
		await using _ = await openDatabase("store", inPostgres, "");
		const processes = processStorage(await openSchema("store"));
		await processes.beat({ holder: "someone", dueAt: 0, now: 0 });
		await refuse(
			inFolder,
			server.url,
			/1 process serves the deployment in postgres:.*stop the service first/,
		);
		await refuse(inPostgres, back, /1 process serves the deployment/);
		await processes.leave("someone");
		await moveDeployment({ settings: inFolder, to: server.url, report() {} });
	});

	test("explains a target or a source that cannot be used, without a password", async (context) => {
		const { folder, back, inFolder, inPostgres } = createPlaces(context);
		await refuse(inPostgres, back, /has no deployment: check DATABASE_URL and DATABASE_SCHEMA/);
		await refuse(inFolder, server.url, /there is no store\.db in .*: set DATA_DIR/);
		await fill(folder, "store");
		const password = "s3cret-of-the-database";
		const url = new URL(server.url);
		for (const [to, message] of [
			[`postgres://u:${password}@127.0.0.1:1/x`, /the database of --to cannot be used: .*ECONNREFUSED/],
			[`postgres://nobody:${password}@${url.host}/postgres`, /the database of --to cannot be used: .*nobody/],
			[`postgres://u:${password}/x@127.0.0.1/x`, /--to must have the form postgres/],
			[`postgres://u:1/${password}@127.0.0.1/x`, /--to has an @ after the host.*%2F/],
			[`postgres://u:1?${password}@127.0.0.1/x`, /--to has an @ after the host.*%3F/],
		] as const)
			await refuse(inFolder, to, message, password);
		await refuse(inPostgres, "/dev/null/x", /--to \/dev\/null\/x cannot be written/);
		await refuse(inPostgres, server.url, /the deployment is in PostgreSQL already/);
		await refuse(inFolder, folder, /the deployment is in a folder already/);
	});
});

async function refuse(settings: Settings, to: string, message: RegExp, secret = "\0"): Promise<void> {
	const error: unknown = await moveDeployment({ settings, to, report() {} }).catch(
		(thrown: unknown) => thrown,
	);
	assert.ok(error instanceof StartProblem, String(error));
	assert.match(error.message, message);
	assert.ok(!error.message.includes(secret), error.message);
}

/** PostgreSQL stores no U+0000, and other characters in their place in another form. */
const TEXTS = ["", "\0", "a\0b\uf8ff", "\uf8ff0", "茶 🍵 \u{10ffff}", "'\"\\\r\n\u2028", "é"];
const LONG = "long ".repeat(1_000_000);
const NUMBERS = [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const REALS = [0, -1.5, 1e308, 5e-324, 0.1, 1e17, Number.POSITIVE_INFINITY];
const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const ROWS = 30;

/** Columns of rows that refer to others, that have to be JSON, or that no index has. The store keeps U+0000 out of entries. */
const SPECIAL: Readonly<Record<string, (row: number) => SQLInputValue>> = {
	"entries.template_id": (row) => (row % 2 === 0 ? `id ${row}` : null),
	"templates.id": (row) => `id ${row}`,
	"entries.metadata_json": (row) => JSON.stringify({ row }),
	"entries.owner_id": (row) => `owner \uf8ff ${row}`,
	"entries.entry_type": (row) => `type ${row}`,
	"entries.page_name": (row) => `page ${row}`,
	"entries.content": (row) => `tea 茶 \uf8ff ${row}`,
	"triplets.source": (row) => row + 1,
	"workflow_versions.content": (row) => (row === 3 ? LONG : `content ${row}`),
	"kv.value": (row) => LONG.slice(0, row * 4_000),
	"vector_blocks.vectors": (row) => new Uint8Array(row * 4_000).fill(row),
};

/** Rows with values of every kind in every table, past the service. */
async function fill(folder: string, ...names: readonly DatabaseName[]): Promise<void> {
	for (const name of names) await fillDatabase(folder, name);
}

async function fillDatabase(folder: string, name: DatabaseName): Promise<void> {
	await using _ = await openDatabase(name, parseSettings({ DATA_DIR: folder }), folder);
	const database = new DatabaseSync(join(folder, `${name}.db`), { enableForeignKeyConstraints: false });
	const triggers = database.prepare("select name, sql from sqlite_master where type = 'trigger'").all();
	for (const trigger of triggers) database.exec(`drop trigger ${trigger.name}`);
	for (const { name: table, columns } of listTables(database)) {
		const insert = database.prepare(`insert into "${table}" values (${columns.map(() => "?").join()})`);
		for (let row = 0; row < ROWS; row++)
			insert.run(...columns.map((column) => (SPECIAL[`${table}.${column.name}`] ?? make(column))(row)));
	}
	for (const trigger of triggers) database.exec(String(trigger.sql));
	database.close();
}

const make =
	({ type, pk, notnull }: Record<string, unknown>) =>
	(row: number): SQLInputValue => {
		if (row % 5 === 4 && notnull === 0 && pk === 0) return null;
		if (type === "INTEGER") return pk === 0 ? (NUMBERS[row % NUMBERS.length] ?? 0) : row + 1;
		if (type === "REAL") return REALS[row % REALS.length] ?? 0;
		return type === "BLOB" ? BYTES.subarray(row * 8) : `${TEXTS[row % TEXTS.length]}${row}`;
	};
