create table if not exists migrations (version integer primary key, name text not null) strict;

alter table entries add column version integer;

alter table entries add column disabled integer;

alter table entries add column author text;

alter table entries add column client text;

create table workflow_versions (
	workflow_id text not null,
	number integer not null,
	name text not null,
	created_at integer not null,
	author text,
	client text,
	content text not null,
	metadata_json text not null,
	primary key (workflow_id, number)
) strict;

update entries set version = 1 where entry_type = 'workflow';

insert into workflow_versions (workflow_id, number, name, created_at, author, client, content, metadata_json)
	select id, 1, page_name, updated_at, null, null, content, metadata_json from entries where entry_type = 'workflow';

create trigger workflows_new after insert on entries when new.entry_type = 'workflow' begin
	insert into workflow_versions (workflow_id, number, name, created_at, author, client, content, metadata_json)
	values (new.id, coalesce(new.version, 1), new.page_name, new.updated_at, new.author, new.client,
		new.content, new.metadata_json)
	on conflict (workflow_id, number) do nothing; update entries set version = 1 where seq = new.seq and version is null; end;

create trigger workflows_changed after update of content, metadata_json, page_name on entries
	when new.entry_type = 'workflow' and (new.content is not old.content or new.metadata_json is not old.metadata_json
		or new.page_name is not old.page_name) begin
	insert into workflow_versions (workflow_id, number, name, created_at, author, client, content, metadata_json)
	values (new.id, old.version + 1, new.page_name, new.updated_at, iif(new.version = old.version, null, new.author),
		iif(new.version = old.version, null, new.client), new.content, new.metadata_json); update entries set version = old.version + 1 where seq = new.seq and version = old.version; end;

create table deleted_workflows (
	seq integer primary key,
	id text not null unique,
	owner_id text not null,
	name text not null,
	version integer not null,
	disabled integer,
	created_at integer not null,
	deleted_at integer not null,
	author text,
	client text
) strict;

create index deleted_workflows_owner on deleted_workflows (owner_id);

create index deleted_workflows_time on deleted_workflows (deleted_at);

create table workflow_drafts (
	workflow_id text primary key,
	revision integer not null,
	base integer not null,
	saved_at integer not null,
	author text,
	client text,
	format text not null,
	source text not null
) strict;

create table former_names (
	owner_id text not null,
	name text not null,
	workflow_id text not null,
	until integer not null,
	primary key (owner_id, name, workflow_id, until)
) strict, without rowid;

create index former_names_workflow on former_names (workflow_id);

insert into migrations (version, name) values (11, 'versions');
