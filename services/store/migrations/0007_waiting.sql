create table if not exists migrations (version integer primary key, name text not null) strict;

alter table entries add column waits_for text;

create index entries_waiting on entries (owner_id, waits_for) where waits_for is not null;

insert into migrations (version, name) values (7, 'waiting');
