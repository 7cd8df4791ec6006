import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { after, before, describe, type TestContext, test } from "node:test";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { type Sql, statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { storeClient } from "@tripline/store/client";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { openDatabase } from "../src/databases.ts";
import { moveDeployment } from "../src/moving/deployment.ts";
import { parseSettings } from "../src/settings.ts";
import { temporaryFolder } from "./process.ts";

const SHARED = { MASTER_KEY: createMasterKeyText(), MCP_OWNER_SECRET: "the owner's long secret" };
const DATABASES = ["kv", "executor", "store"] as const;

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
		for (const database of DATABASES) await fill(folder, database);
		const there = await moveDeployment({ settings: inFolder, to: server.url, report() {} });
		const again = await moveDeployment({ settings: inPostgres, to: back, report() {} });
		assert.deepEqual(again.tables, there.tables);
		for (const database of DATABASES) assert.deepEqual(dump(back, database), dump(folder, database));
	});
});

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
	"kv.value": (row) => LONG.slice(0, row * 20_000),
	"vector_blocks.vectors": (row) => new Uint8Array(row * 20_000).fill(row),
};

/** Rows with values of every kind in every table, past the service. */
async function fill(folder: string, name: (typeof DATABASES)[number]): Promise<void> {
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

const make = ({ type, pk, notnull }: Record<string, unknown>) => (row: number): SQLInputValue => {
	if (row % 5 === 4 && notnull === 0 && pk === 0) return null;
	if (type === "INTEGER") return pk === 0 ? (NUMBERS[row % NUMBERS.length] ?? 0) : row + 1;
	if (type === "REAL") return REALS[row % REALS.length] ?? 0;
	return type === "BLOB" ? BYTES.subarray(row * 8) : `${TEXTS[row % TEXTS.length]}${row}`;
};

const listTables = (database: DatabaseSync) =>
	database
		.prepare(
			`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'
			and name not in ('migrations', 'moves') order by name`,
		)
		.all()
		.map(({ name }) => ({
			name: String(name),
			columns: database.prepare(`select * from pragma_table_info('${name}')`).all(),
		}))
		.filter(({ name }) => name !== "search_state");

/** All rows of a database, and its triggers. */
function dump(folder: string, name: string): unknown {
	const database = new DatabaseSync(join(folder, `${name}.db`), { readOnly: true });
	try {
		return [
			database.prepare("select name, sql from sqlite_master where type = 'trigger' order by name").all(),
			...listTables(database).map(({ name: table, columns }) => {
				const key = columns.filter(({ pk }) => pk !== 0).map((column) => `"${column.name}"`);
				const select = database.prepare(`select * from "${table}" order by ${key.join()}`);
				select.setReadBigInts(true);
				return [table, select.all()];
			}),
		];
	} finally {
		database.close();
	}
}
