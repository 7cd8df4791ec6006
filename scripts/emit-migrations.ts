// Writes the migrations as .sql files for D1; --check only checks whether they are current.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { executorMigrations } from "@tripline/platform/executor-database";
import { emitSql, type Migration } from "@tripline/platform/migrations";
import { storeMigrations } from "@tripline/store/storage/migrations";

const isCheck = process.argv.includes("--check");
emitMigrations("../services/store/migrations/", storeMigrations);
emitMigrations("../services/executor/migrations/", executorMigrations);

function emitMigrations(relative: string, migrations: readonly Migration[]): void {
	const folder = fileURLToPath(new URL(relative, import.meta.url));
	const wanted = new Map(
		migrations.map((migration) => [
			`${String(migration.version).padStart(4, "0")}_${migration.name}.sql`,
			emitSql(migration),
		]),
	);
	mkdirSync(folder, { recursive: true });
	const stale = [...wanted]
		.filter(([name, text]) => readContent(join(folder, name)) !== text)
		.map(([name]) => name);
	const unknown = readdirSync(folder).filter((name) => !wanted.has(name));

	if (isCheck) {
		if (stale.length + unknown.length > 0) {
			console.error(
				`migration files are not current: ${[...stale, ...unknown].join(", ")}; run: npm run migrations`,
			);
			process.exitCode = 1;
		}
		return;
	}
	for (const name of stale) writeFileSync(join(folder, name), wanted.get(name) ?? "");
	console.log(stale.length > 0 ? `wrote ${stale.join(", ")}` : "migration files are current");
	if (unknown.length > 0) console.log(`not in the migration list, delete by hand: ${unknown.join(", ")}`);
}

function readContent(path: string): string | null {
	return existsSync(path) ? readFileSync(path, "utf8") : null;
}
