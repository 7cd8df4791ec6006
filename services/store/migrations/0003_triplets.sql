create table if not exists migrations (version integer primary key, name text not null) strict;

create table sources (
	id integer primary key,
	owner_id text not null,
	uri text not null,
	hash text not null,
	anchor text not null,
	block_id text not null,
	unique (owner_id, uri, hash, anchor, block_id)
) strict;

create table triplets (
	seq integer primary key references entries (seq) on delete cascade,
	owner_id text not null,
	subject text not null,
	predicate text not null,
	object text not null,
	uri text not null,
	source integer not null references sources (id),
	active integer not null
) strict;

create index triplets_subject on triplets (owner_id, subject, active, predicate, source);

create index triplets_object on triplets (owner_id, object, active, predicate, source);

create index triplets_uri on triplets (owner_id, uri, active);

create index entries_entities on entries (upsert_key) where entry_type = 'entity';

insert into migrations (version, name) values (3, 'triplets');
