import type { Migration } from "@tripline/platform/migrations";

/**
 * Two tables for every kind of data. Each index costs a written row per entry on D1, so the types that come in bulk
 * (execution records, triplets) stand only in the indexes they need; the others leave them out.
 */
export const core: Migration = {
	version: 1,
	name: "core",
	statements: [
		`create table templates (
	seq integer primary key,
	id text not null unique,
	owner_id text not null,
	name text not null,
	slots_json text not null,
	created_at integer not null,
	updated_at integer not null,
	unique (owner_id, name)
) strict`,
		`create table entries (
	seq integer primary key,
	id text not null unique,
	entry_type text not null,
	owner_id text not null,
	page_name text not null,
	content text not null,
	metadata_json text not null,
	created_at integer not null,
	updated_at integer not null,
	upsert_key text,
	template_id text references templates (id),
	schedule text,
	next_run_at integer
) strict`,
		"create unique index entries_upsert on entries (upsert_key) where upsert_key is not null",
		"create index entries_page on entries (owner_id, entry_type, page_name, created_at)",
		"create index entries_owner_type on entries (owner_id, entry_type, created_at)",
		`create index entries_owner on entries (owner_id, created_at)
	where entry_type not in ('execution_log', 'triplet')`,
		`create index entries_type on entries (entry_type, created_at)
	where entry_type not in ('execution_log', 'triplet')`,
		`create index entries_newest on entries (created_at)
	where entry_type not in ('execution_log', 'triplet')`,
		"create index entries_due on entries (next_run_at) where next_run_at is not null",
		`create index entries_failures on entries (owner_id, created_at)
	where entry_type = 'execution_log' and json_extract(metadata_json, '$.verdict') = 'failed'`,
	],
};
