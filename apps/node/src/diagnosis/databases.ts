import { existsSync } from "node:fs";
import { join } from "node:path";
import type { VaultStorage } from "@tripline/executor/vault/storage";
import type { Migration } from "@tripline/platform/migrations";
import { chooseStoreMigrations } from "@tripline/store/storage/postgres/migrations";
import { type DatabaseName, MIGRATIONS, readVersion } from "../databases.ts";
import type { Settings } from "../settings.ts";
import { type Check, fail, findReason, ok } from "./check.ts";
import { openReadOnly, type ReadOnly, readOnlyVault } from "./read-only.ts";

const MIN_POSTGRES = 150_000;
const NAMES: readonly DatabaseName[] = ["store", "kv", "executor"];

export interface Databases {
	readonly checks: readonly Check[];
	/** Null if the store's database cannot be read. */
	readonly vault: VaultStorage | null;
	/** By how much the clock of PostgreSQL is ahead of this machine's. */
	readonly clockSkewMs: number | null;
	close(): Promise<void>;
}

export const openDatabases = (settings: Settings, folder: string, now: () => number): Promise<Databases> =>
	settings.DATABASE_URL === undefined
		? openFiles(folder)
		: openSchemas({ ...settings, DATABASE_URL: settings.DATABASE_URL }, now);

async function openFiles(folder: string): Promise<Databases> {
	const checks: Check[] = [];
	let vault: VaultStorage | null = null;
	const opened: ReadOnly[] = [];
	for (const database of NAMES) {
		const path = join(folder, `${database}.db`);
		const name = `database ${database}`;
		if (!existsSync(path)) {
			checks.push(
				database !== "store" && existsSync(join(folder, "store.db"))
					? fail(name, `${path} is missing`, "restore it from a backup, together with the other databases")
					: ok(name, `${path} does not exist yet: the first start creates it`),
			);
			continue;
		}
		try {
			const file = openReadOnly(path);
			opened.push(file);
			const check = await checkFile(name, file, path, MIGRATIONS[database]);
			checks.push(check);
			if (database === "store" && check.status === "ok") vault = readOnlyVault(file, "entries");
		} catch (error) {
			checks.push(damaged(name, path, error));
		}
	}
	return {
		checks,
		vault,
		clockSkewMs: null,
		async close() {
			for (const file of opened) await file.close();
		},
	};
}

async function checkFile(
	name: string,
	file: ReadOnly,
	path: string,
	migrations: readonly Migration[],
): Promise<Check> {
	const [found] = await file.read("pragma quick_check(1)");
	if (found?.quick_check !== "ok") return damaged(name, path, null);
	const problem = await checkSchema(
		name,
		path,
		file,
		"migrations",
		migrations,
		readVersion(join(path, "..")),
	);
	return problem ?? ok(name, `${path} is intact`);
}

/** Null if this version can use it, now or after its migrations at the next start. */
async function checkSchema(
	name: string,
	where: string,
	{ read }: ReadOnly,
	table: string,
	migrations: readonly Migration[],
	writer: string | null,
): Promise<Check | null> {
	const [row] = await read(`select max(version) as version from ${table}`);
	const newest = migrations.at(-1)?.version ?? 0;
	if (Number(row?.version ?? 0) <= newest) return null;
	return fail(
		name,
		`${where} was written by a newer version${writer === null ? "" : `, ${writer}`} (schema ${row?.version}, this version knows up to ${newest})`,
		"use that version, run tripline downgrade with it, or restore a backup",
	);
}

const damaged = (name: string, path: string, error: unknown): Check =>
	fail(
		name,
		`${path} is damaged or cannot be read${error === null ? "" : ` (${findReason(error)})`}`,
		"stop the service, check its permissions, and restore it from a backup",
	);

async function openSchemas(
	settings: Settings & { readonly DATABASE_URL: string },
	now: () => number,
): Promise<Databases> {
	const name = "database";
	const nothing = { vault: null, clockSkewMs: null, async close() {} };
	// Loaded only here, because most deployments do not need it.
	const { connectPostgres } = await import("@tripline/platform/postgres-probe.node");
	let server: ReadOnly;
	try {
		server = await connectPostgres(settings.DATABASE_URL);
	} catch (error) {
		const check = fail(
			name,
			`PostgreSQL cannot be reached (${findReason(error)})`,
			"check DATABASE_URL, its user and password, and that the database runs and accepts connections from here",
		);
		return { ...nothing, checks: [check] };
	}
	const [about] = await server.read(
		"select current_setting('server_version_num')::int as number, current_setting('server_version') as version, extract(epoch from clock_timestamp()) * 1000 as now",
	);
	const clockSkewMs = Number(about?.now) - now();
	const close = () => server.close();
	if (Number(about?.number) < MIN_POSTGRES)
		return {
			...{ vault: null, clockSkewMs, close },
			checks: [fail(name, `PostgreSQL is version ${about?.version}`, "use PostgreSQL 15 or newer")],
		};
	const checks: Check[] = [];
	let vault: VaultStorage | null = null;
	for (const database of NAMES) {
		const schema = `${settings.DATABASE_SCHEMA}_${database}`;
		const [found] = await server.read(`select to_regclass('${schema}.migrations') is not null as found`);
		if (found?.found !== true) continue;
		const migrations =
			database === "store" ? chooseStoreMigrations({ dialect: "postgres" }) : MIGRATIONS[database];
		const problem = await checkSchema(name, schema, server, `${schema}.migrations`, migrations, null);
		if (problem !== null) checks.push(problem);
		else if (database === "store") vault = readOnlyVault(server, `${schema}.entries`);
	}
	if (checks.length === 0)
		checks.push(
			ok(
				name,
				`PostgreSQL ${about?.version}${vault === null ? ", without data yet: the first start creates it" : ""}`,
			),
		);
	return { checks, vault, clockSkewMs, close };
}
