create table if not exists migrations (version integer primary key, name text not null) strict;

create index entries_upcoming on entries (owner_id, next_run_at) where schedule is not null;

insert into migrations (version, name) values (6, 'upcoming');
