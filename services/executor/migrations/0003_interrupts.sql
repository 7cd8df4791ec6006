create table if not exists migrations (version integer primary key, name text not null) strict;

alter table held_runs add column interrupts integer not null default 0;

insert into migrations (version, name) values (3, 'interrupts');
