import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The tables of a data folder's database with data of record, and their columns. */
export const listTables = (database: DatabaseSync) =>
	database
		.prepare(
			`select name from pragma_table_list where schema = 'main' and type = 'table'
			and name not in ('migrations', 'moves', 'search_state', 'sqlite_schema', 'sqlite_sequence') order by name`,
		)
		.all()
		.map(({ name }) => ({
			name: String(name),
			columns: database.prepare(`select * from pragma_table_info('${name}')`).all(),
		}));

/** All rows of the databases in a data folder, and their triggers. */
export const readRows = (folder: string): unknown =>
	["kv", "executor", "store"].map((name) => read(folder, name));

function read(folder: string, name: string): unknown {
	const database = new DatabaseSync(join(folder, `${name}.db`), { readOnly: true });
	try {
		return [
			name,
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
