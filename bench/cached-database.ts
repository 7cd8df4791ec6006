import { createHash } from "node:crypto";
import { constants, copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { uuidv7 } from "@tripline/contract/ids";
import { type Migration, migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { storeMigrations } from "@tripline/store/storage/migrations";

const FOLDER = join(import.meta.dirname, "data");

/** Copies a filled database to `folder`. The original is cached until the code that fills it changes. */
export async function copyCachedDatabase(
	given: {
		readonly name: string;
		/** The source file of `fill`: if it changes, the database is rebuilt. */
		readonly filledBy: string;
		readonly fill: (database: DatabaseSync) => void | Promise<void>;
		/** Its schema; default the store's. */
		readonly migrations?: readonly Migration[];
	},
	folder: string,
): Promise<string> {
	mkdirSync(FOLDER, { recursive: true });
	const migrations = given.migrations ?? storeMigrations;
	const prefix = `${given.name}-`;
	const file = `${prefix}${computeFingerprint(given.filledBy, migrations)}.db`;
	const kept = readdirSync(FOLDER).filter((each) => each.startsWith(prefix));
	if (!kept.includes(file)) {
		for (const each of kept) rmSync(join(FOLDER, each));
		await createDatabase(join(FOLDER, `${file}.${process.pid}.part`), migrations, given.fill);
		renameSync(join(FOLDER, `${file}.${process.pid}.part`), join(FOLDER, file));
	}
	const copy = join(folder, `${given.name}-${uuidv7(Date.now())}.db`);
	copyFileSync(join(FOLDER, file), copy, constants.COPYFILE_FICLONE);
	return copy;
}

function computeFingerprint(filledBy: string, migrations: readonly Migration[]): string {
	const hash = createHash("sha256").update(JSON.stringify(migrations));
	return hash.update(readFileSync(filledBy)).digest("hex").slice(0, 12);
}

async function createDatabase(
	path: string,
	migrations: readonly Migration[],
	fill: (database: DatabaseSync) => void | Promise<void>,
): Promise<void> {
	const sql = openSqlite(path);
	await migrate(sql, migrations);
	sql.close();
	const database = new DatabaseSync(path);
	database.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000");
	database.exec("begin");
	await fill(database);
	database.exec("commit; pragma journal_mode = wal; pragma wal_checkpoint(truncate)");
	database.close();
}
