import type { Migration } from "@tripline/platform/migrations";

/** What a file counts at least. */
const MIN_BYTES = 4096;
const charged = (row: string): string => `max(${row}.size, ${MIN_BYTES})`;
const counterName = (row: string): string => `'files' || char(10) || ${row}.owner_id`;

/**
 * Files, whose bytes are outside the database. A row is there before the bytes (`pending`) and until they are deleted
 * (`deleted`), so that no bytes are without a row. `due_at` is when the sweep looks at the row; a kept file has none.
 *
 * Triggers add up the sizes of each owner, because a quota is checked at every new file. A hold names the key of an
 * accepted run: a file is not deleted while the run has not ended. Times are Unix milliseconds.
 */
export const files: Migration = {
	version: 10,
	name: "files",
	statements: [
		`create table files (
	seq integer primary key,
	id text not null unique,
	owner_id text not null,
	name text not null,
	type text not null,
	size integer not null,
	state text not null,
	kept_as text,
	kept_at integer,
	execution_id text,
	created_at integer not null,
	due_at integer
) strict`,
		"create index files_owner on files (owner_id) where state = 'stored'",
		"create unique index files_kept on files (owner_id, kept_as) where kept_as is not null",
		"create index files_due on files (due_at) where due_at is not null",
		"create index files_pending on files (created_at) where state = 'pending'",
		`create table file_holds (
	file_id text not null,
	run_key text not null,
	checked_at integer not null,
	primary key (file_id, run_key)
) strict, without rowid`,
		"create index file_holds_checked on file_holds (checked_at)",
		`create trigger files_new after insert on files begin
	insert into counters (name, value) values (${counterName("new")}, ${charged("new")})
	on conflict (name) do update set value = value + excluded.value; end`,
		`create trigger files_resized after update of size on files begin
	update counters set value = value + ${charged("new")} - ${charged("old")} where name = ${counterName("new")}; end`,
		`create trigger files_deleted after delete on files begin
	update counters set value = value - ${charged("old")} where name = ${counterName("old")}; delete from file_holds where file_id = old.id; end`,
	],
};
