create table if not exists migrations (version integer primary key, name text not null) strict;

create table held_runs (
	run text primary key,
	tag text not null,
	-- Counts how often it was taken. Only the last holder may record steps.
	holder integer not null,
	-- How many steps it had when it was last taken, and how many of the last times it had no more than before.
	steps integer not null,
	idle_takes integer not null,
	is_cancelled integer not null default 0,
	-- Unix seconds. Set once it has ended, if its steps are retained.
	retained_until integer,
	-- Of a run that is retained for its owner.
	owner text,
	bytes integer
) strict, without rowid;

create index held_runs_retained on held_runs (retained_until) where retained_until is not null;

create index held_runs_of_owner on held_runs (owner, retained_until) where owner is not null;

create table steps (
	run text not null,
	line text not null,
	place integer not null,
	-- A step that is too large for one row continues in the next part.
	part integer not null,
	bytes blob not null,
	primary key (run, line, place, part)
) strict, without rowid;

insert into migrations (version, name) values (1, 'journal');
