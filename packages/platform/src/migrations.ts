import { type Dialect, type Sql, type Statement, statement } from "./sql.ts";

/** Migrations only add to the schema, so that the previous version still runs on it. */
export interface Migration {
	readonly version: number;
	readonly name: string;
	readonly statements: readonly string[];
	readonly dialect?: Dialect;
}

/** The database was created by a newer version of the service. */
export class NewerDatabase extends Error {
	override readonly name = "NewerDatabase";

	constructor(found: number, known: number) {
		super(`it was written by a newer version (schema ${found}, this version knows up to ${known})`);
	}
}

const CREATE_VERSIONS =
	"create table if not exists migrations (version integer primary key, name text not null) strict";

/** Brings the schema to the newest version; each migration is one unit of work. */
export async function migrate(sql: Sql, migrations: readonly Migration[]): Promise<void> {
	await sql.write([statement(CREATE_VERSIONS)]);
	const current = await readSchemaVersion(sql);
	const newest = getNewestVersion(migrations);
	if (current > newest) throw new NewerDatabase(current, newest);
	for (const migration of migrations) {
		if (migration.version <= current) continue;
		try {
			await sql.write(toStatements(migration));
		} catch (error) {
			// Another process may have applied it in the meantime.
			if ((await readSchemaVersion(sql)) < migration.version) throw error;
		}
	}
}

/** Throws if the database has reported a problem: a successful read would then prove nothing. */
export async function isMigrated(sql: Sql, migrations: readonly Migration[]): Promise<boolean> {
	const trouble = sql.trouble?.() ?? null;
	if (trouble !== null) throw trouble;
	return (await readSchemaVersion(sql)) >= getNewestVersion(migrations);
}

/** The migration as a file, for platforms where a deployment tool applies migrations. */
export function emitSql(migration: Migration): string {
	return [CREATE_VERSIONS, ...toStatements(migration).map((each) => each.text)]
		.map((each) => `${each};\n`)
		.join("\n");
}

function toStatements(migration: Migration): Statement[] {
	const record = `insert into migrations (version, name) values (${migration.version}, '${migration.name}')`;
	const { dialect } = migration;
	return [...migration.statements, record].map((text) => ({ text, values: [], dialect }));
}

async function readSchemaVersion(sql: Sql): Promise<number> {
	const rows = await sql.read<{ version: number | null }>(
		statement("select max(version) as version from migrations"),
	);
	return rows[0]?.version ?? 0;
}

const getNewestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;
