create table if not exists migrations (version integer primary key, name text not null) strict;

alter table entries add column parked_for text;

create index entries_parked on entries (owner_id, parked_for) where parked_for is not null;

drop index entries_due;

create index entries_due on entries (next_run_at, parked_for) where next_run_at is not null;

insert into migrations (version, name) values (12, 'parked');
