import type { Migration } from "@tripline/platform/migrations";

/**
 * A triplet is an entry; this is what its lookups need: its names folded, its source, and whether it is active. `terms`
 * are its words as the search index has them, so that a deprecation moves them without reading the triplet first.
 */
export const triplets: Migration = {
	version: 3,
	name: "triplets",
	statements: [
		`create table triplets (
	seq integer primary key references entries (seq) on delete cascade,
	owner_id text not null,
	subject text not null,
	predicate text not null,
	object text not null,
	uri text not null,
	hash text not null,
	active integer not null
) strict`,
		"create index triplets_subject on triplets (owner_id, subject, active, predicate)",
		"create index triplets_object on triplets (owner_id, object, active, predicate)",
		"create index triplets_source on triplets (owner_id, uri, active)",
	],
};
