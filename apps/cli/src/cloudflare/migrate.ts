import { CliProblem } from "../command.ts";
import type { CloudflareApi } from "./api.ts";
import type { Migration } from "./bundles.ts";
import { ProviderRefused } from "./provider.ts";
import { splitStatements } from "./statements.ts";

/** Applies the missing migrations in order; each records its version in the same unit of work. */
export async function migrate(deps: {
	readonly api: Pick<CloudflareApi, "query">;
	readonly database: string;
	readonly migrations: readonly Migration[];
	progress(what: string): void;
}): Promise<readonly string[]> {
	const { api, database, migrations, progress } = deps;
	const current = await readSchemaVersion();
	const newest = getNewestVersion(migrations);
	if (current > newest)
		throw new CliProblem(
			`the database has schema version ${current}, but this version of tripline supports up to ${newest}`,
			{ hint: "it was made by a newer tripline: use that one, such as npx tripline@latest update" },
		);
	const applied: string[] = [];
	for (const { version, file, sql } of migrations) {
		if (version <= current) continue;
		progress(`migrating the database: ${file}`);
		try {
			await api.query(database, `apply the migration ${file}`, splitStatements(sql).join("\n"));
		} catch (error) {
			// Another process may have applied it in the meantime, or only the answer was lost.
			if ((await readSchemaVersion()) < version) throw explain(error, file);
		}
		applied.push(file);
	}
	return applied;

	async function readSchemaVersion(): Promise<number> {
		const what = "read the database's schema version";
		const [table] = await api.query(
			database,
			what,
			"select name from sqlite_master where type = 'table' and name = 'migrations';",
			true,
		);
		if (table === undefined) return 0;
		const [row] = await api.query(database, what, "select max(version) as version from migrations;", true);
		return typeof row?.version === "number" ? row.version : 0;
	}
}

export const getNewestVersion = (migrations: readonly Migration[]): number =>
	Math.max(0, ...migrations.map(({ version }) => version));

const explain = (error: unknown, file: string): unknown =>
	error instanceof ProviderRefused
		? new CliProblem(`the migration ${file} failed: ${error.message}`, {
				hint: "it was not applied, and no worker was changed: correct the cause, then run this again",
			})
		: error;
