import type { Migration } from "@tripline/platform/migrations";

/**
 * A triplet is an entry; these are what its lookups need. Names are folded. Source pointers stand apart: they are few
 * against the triplets that share them, so that a node's sources are read from the indexes and one small table.
 * Entities have an index of their own, because most nodes have none and are looked for all the same.
 * An absent anchor or block is the empty text, because nulls are never equal to each other.
 */
export const triplets: Migration = {
	version: 3,
	name: "triplets",
	statements: [
		`create table sources (
	id integer primary key,
	owner_id text not null,
	uri text not null,
	hash text not null,
	anchor text not null,
	block_id text not null,
	unique (owner_id, uri, hash, anchor, block_id)
) strict`,
		`create table triplets (
	seq integer primary key references entries (seq) on delete cascade,
	owner_id text not null,
	subject text not null,
	predicate text not null,
	object text not null,
	uri text not null,
	source integer not null references sources (id),
	active integer not null
) strict`,
		"create index triplets_subject on triplets (owner_id, subject, active, predicate, source)",
		"create index triplets_object on triplets (owner_id, object, active, predicate, source)",
		"create index triplets_uri on triplets (owner_id, uri, active)",
		"create index entries_entities on entries (upsert_key) where entry_type = 'entity'",
	],
};
