create table if not exists migrations (version integer primary key, name text not null) strict;

create table files (
	seq integer primary key,
	id text not null unique,
	owner_id text not null,
	name text not null,
	type text not null,
	size integer not null,
	state text not null,
	kept_as text,
	kept_at integer,
	execution_id text,
	created_at integer not null,
	due_at integer
) strict;

create index files_owner on files (owner_id) where state = 'stored';

create unique index files_kept on files (owner_id, kept_as) where kept_as is not null;

create index files_due on files (due_at) where due_at is not null;

create index files_pending on files (created_at) where state = 'pending';

create table file_holds (
	file_id text not null,
	run_key text not null,
	checked_at integer not null,
	primary key (file_id, run_key)
) strict, without rowid;

create index file_holds_checked on file_holds (checked_at);

create trigger files_new after insert on files begin
	insert into counters (name, value) values ('files' || char(10) || new.owner_id, max(new.size, 4096))
	on conflict (name) do update set value = value + excluded.value; end;

create trigger files_resized after update of size on files begin
	update counters set value = value + max(new.size, 4096) - max(old.size, 4096) where name = 'files' || char(10) || new.owner_id; end;

create trigger files_deleted after delete on files begin
	update counters set value = value - max(old.size, 4096) where name = 'files' || char(10) || old.owner_id; delete from file_holds where file_id = old.id; end;

insert into migrations (version, name) values (10, 'files');
