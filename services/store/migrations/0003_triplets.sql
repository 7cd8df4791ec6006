create table if not exists migrations (version integer primary key, name text not null) strict;

create table triplets (
	seq integer primary key references entries (seq) on delete cascade,
	owner_id text not null,
	subject text not null,
	predicate text not null,
	object text not null,
	uri text not null,
	hash text not null,
	active integer not null
) strict;

create index triplets_subject on triplets (owner_id, subject, active, predicate);

create index triplets_object on triplets (owner_id, object, active, predicate);

create index triplets_source on triplets (owner_id, uri, active);

insert into migrations (version, name) values (3, 'triplets');
