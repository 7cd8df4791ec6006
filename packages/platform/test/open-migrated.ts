import { DatabaseSync } from "node:sqlite";
import { type Migration, migrate } from "../src/migrations.ts";
import { openSqlite } from "../src/sql.sqlite.ts";

const images = new Map<readonly Migration[], Uint8Array>();

/**
 * A database in memory with the schema of the migrations. They take longer than most tests, so they are applied once in
 * a process, and the result is copied.
 */
export async function openMigrated(migrations: readonly Migration[]): Promise<ReturnType<typeof openSqlite>> {
	const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
	const image = images.get(migrations);
	if (image !== undefined) database.deserialize(image);
	const sql = openSqlite(database);
	if (image === undefined) {
		await migrate(sql, migrations);
		// Node before 26.1 cannot copy a database.
		if ("serialize" in database) images.set(migrations, database.serialize());
	}
	return sql;
}
