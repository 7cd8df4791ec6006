import { type Sql, statement } from "@tripline/platform/sql";

/** The release before this one, and the newest schema of the store that it knows. */
export const PREVIOUS = { version: "1.3.1", schema: 6 } as const;

const IS_UNFINISHED = "entry_type = 'accepted_run' and json_extract(metadata_json, '$.status') = 'accepted'";

/**
 * Makes the store's database one that the previous release opens. Migrations only add, so it can use the newer schema
 * as it is: only their versions are put aside. So are unfinished runs, which that release would start again from the
 * beginning, or fail: it finds them by their time. Returns their number.
 */
export async function putBack(store: Sql): Promise<number> {
	const [, , , runs] = await store.write([
		statement("create table later_migrations (version integer primary key, name text not null) strict"),
		statement(
			"insert into later_migrations select version, name from migrations where version > ?1",
			PREVIOUS.schema,
		),
		statement("delete from migrations where version > ?1", PREVIOUS.schema),
		statement(`update entries set next_run_at = null where ${IS_UNFINISHED}`),
	]);
	return runs?.changes ?? 0;
}

/** Undoes `putBack`. Does nothing for a database that was never put back. */
export async function bringForward(sql: Sql): Promise<void> {
	const [found] = await sql.read(
		statement("select 1 as found from sqlite_master where type = 'table' and name = 'later_migrations'"),
	);
	if (found === undefined) return;
	await sql.write([
		statement("insert or ignore into migrations select version, name from later_migrations"),
		statement("drop table later_migrations"),
		statement(
			`update entries set next_run_at = cast(json_extract(metadata_json, '$.due_at') as integer)
			where next_run_at is null and ${IS_UNFINISHED}`,
		),
	]);
}
