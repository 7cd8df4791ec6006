import { type Sql, statement } from "@tripline/platform/sql";

/** The release before this one, and the newest schema of the store that it knows. */
export const PREVIOUS = { version: "1.3.1", schema: 6 } as const;

const IS_UNFINISHED = "entry_type = 'accepted_run' and json_extract(metadata_json, '$.status') = 'accepted'";

/**
 * Makes the store's database one that the previous release opens. Migrations only add, so it can use the newer schema
 * as it is: only their versions are put aside. So are unfinished runs: that release would start them again from the
 * beginning, fail them, or delete them after a day. Returns their number.
 */
export async function putBack(store: Sql): Promise<number> {
	const columns = await listColumns(store);
	const outcomes = await store.write([
		statement("create table later_migrations (version integer primary key, name text not null) strict"),
		statement(
			"insert into later_migrations select version, name from migrations where version > ?1",
			PREVIOUS.schema,
		),
		statement("delete from migrations where version > ?1", PREVIOUS.schema),
		statement(
			`create table later_runs as select ${columns} from entries where ${IS_UNFINISHED} order by seq`,
		),
		statement(`delete from entries where ${IS_UNFINISHED}`),
	]);
	return outcomes.at(-1)?.changes ?? 0;
}

/** Undoes `putBack`. Does nothing for a database that was never put back. */
export async function bringForward(sql: Sql): Promise<void> {
	const [found] = await sql.read(
		statement("select 1 as found from sqlite_master where type = 'table' and name = 'later_migrations'"),
	);
	if (found === undefined) return;
	const columns = await listColumns(sql);
	await sql.write([
		statement("insert or ignore into migrations select version, name from later_migrations"),
		statement("drop table later_migrations"),
		statement(
			`insert into entries (${columns}) select ${columns} from later_runs where true order by rowid on conflict do nothing`,
		),
		statement("drop table later_runs"),
	]);
}

/** Without `seq`: numbers that become free are given to other entries meanwhile. */
async function listColumns(sql: Sql): Promise<string> {
	const rows = await sql.read<{ name: string }>(
		statement("select name from pragma_table_info('entries') where name <> 'seq'"),
	);
	return rows.map(({ name }) => `"${name}"`).join(", ");
}
