create table if not exists migrations (version integer primary key, name text not null) strict;

create table kept_runs (
	namespace text not null,
	id text not null,
	expires_at integer not null,
	bytes integer not null,
	text text not null,
	primary key (namespace, id)
) strict;

create index kept_runs_expiry on kept_runs (expires_at);

create table kept_sizes (
	namespace text primary key,
	bytes integer not null
) strict, without rowid;

insert into migrations (version, name) values (2, 'kept_data');
