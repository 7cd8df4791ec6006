import { DatabaseSync } from "node:sqlite";
import { BackupProblem } from "./problem.ts";

/** Uses a copied database, which nobody else does. */
export function withDatabase<T>(path: string, use: (database: DatabaseSync) => T): T {
	const database = new DatabaseSync(path);
	try {
		return use(database);
	} finally {
		database.close();
	}
}

/** Rows by table, without those that SQLite keeps for indexes. */
export function countRows(database: DatabaseSync): Record<string, number> {
	const tables = database
		.prepare("select name from pragma_table_list where schema = 'main' and type = 'table' order by name")
		.all()
		.map(({ name }) => String(name))
		.filter((name) => !name.startsWith("sqlite_"));
	return Object.fromEntries(
		tables.map((name) => [name, Number(database.prepare(`select count(*) as n from "${name}"`).get()?.n)]),
	);
}

export function checkIntegrity(database: DatabaseSync, name: string): void {
	const problem = database.prepare("pragma integrity_check(1)").get()?.integrity_check;
	if (problem !== "ok") throw new BackupProblem(`${name}.db is damaged: ${String(problem)}`);
}

interface ListedFile {
	/** Of its bytes. */
	readonly key: string;
	readonly size: number;
}

/** The files that the store knows and that are complete. */
export function* listFiles(store: DatabaseSync): Generator<ListedFile> {
	const rows = store.prepare("select owner_id, id, size from files where state = 'stored' order by seq");
	for (const { owner_id, id, size } of rows.iterate())
		yield { key: `${String(owner_id)}/${String(id)}`, size: Number(size) };
}
