// Writes the migrations as .sql files for D1; --check only checks whether they are current.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitSql } from "@tripline/platform/migrations";
import { storeMigrations } from "@tripline/store/storage/migrations";

const folder = fileURLToPath(new URL("../services/store/migrations/", import.meta.url));

const wanted = new Map(
	storeMigrations.map((migration) => [
		`${String(migration.version).padStart(4, "0")}_${migration.name}.sql`,
		emitSql(migration),
	]),
);
mkdirSync(folder, { recursive: true });
const stale = [...wanted]
	.filter(([name, text]) => readContent(join(folder, name)) !== text)
	.map(([name]) => name);
const unknown = readdirSync(folder).filter((name) => !wanted.has(name));

if (process.argv.includes("--check")) {
	if (stale.length + unknown.length > 0) {
		console.error(
			`migration files are not current: ${[...stale, ...unknown].join(", ")}; run: npm run migrations`,
		);
		process.exitCode = 1;
	}
} else {
	for (const name of stale) writeFileSync(join(folder, name), wanted.get(name) ?? "");
	console.log(stale.length > 0 ? `wrote ${stale.join(", ")}` : "migration files are current");
	if (unknown.length > 0) console.log(`not in the migration list, delete by hand: ${unknown.join(", ")}`);
}

function readContent(path: string): string | null {
	return existsSync(path) ? readFileSync(path, "utf8") : null;
}
