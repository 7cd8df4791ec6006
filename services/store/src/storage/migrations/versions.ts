import type { Migration } from "@tripline/platform/migrations";

const TEXT = "content, metadata_json";
const VERSION = `workflow_id, number, name, created_at, author, client, ${TEXT}`;
const IS_CHANGED = `new.content is not old.content or new.metadata_json is not old.metadata_json
		or new.page_name is not old.page_name`;

/**
 * Every text that a workflow had. Triggers append it in the statement that writes the workflow, so that no writer can
 * leave it out: neither a tenant that writes the entry itself nor the release before, which still runs while this one is
 * deployed. That release does not set the entry's `version`; its texts are of unknown authors.
 *
 * The small columns come first: a list reads them without the pages of a large text.
 *
 * A deleted workflow leaves a row in `deleted_workflows` and all its versions. Its text is that of its newest version.
 * `former_names` has the names that a workflow had until a time. A draft is as its author wrote it, compiled or not.
 */
export const versions: Migration = {
	version: 11,
	name: "versions",
	statements: [
		"alter table entries add column version integer",
		"alter table entries add column disabled integer",
		"alter table entries add column author text",
		"alter table entries add column client text",
		`create table workflow_versions (
	workflow_id text not null,
	number integer not null,
	name text not null,
	created_at integer not null,
	author text,
	client text,
	content text not null,
	metadata_json text not null,
	primary key (workflow_id, number)
) strict`,
		"update entries set version = 1 where entry_type = 'workflow'",
		`insert into workflow_versions (${VERSION})
	select id, 1, page_name, updated_at, null, null, ${TEXT} from entries where entry_type = 'workflow'`,
		`create trigger workflows_new after insert on entries when new.entry_type = 'workflow' begin
	insert into workflow_versions (${VERSION})
	values (new.id, coalesce(new.version, 1), new.page_name, new.updated_at, new.author, new.client,
		new.content, new.metadata_json)
	on conflict (workflow_id, number) do nothing; update entries set version = 1 where seq = new.seq and version is null; end`,
		`create trigger workflows_changed after update of content, metadata_json, page_name on entries
	when new.entry_type = 'workflow' and (${IS_CHANGED}) begin
	insert into workflow_versions (${VERSION})
	values (new.id, old.version + 1, new.page_name, new.updated_at, iif(new.version = old.version, null, new.author),
		iif(new.version = old.version, null, new.client), new.content, new.metadata_json); update entries set version = old.version + 1 where seq = new.seq and version = old.version; end`,
		`create table deleted_workflows (
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
) strict`,
		"create index deleted_workflows_owner on deleted_workflows (owner_id)",
		"create index deleted_workflows_time on deleted_workflows (deleted_at)",
		`create table workflow_drafts (
	workflow_id text primary key,
	revision integer not null,
	base integer not null,
	saved_at integer not null,
	author text,
	client text,
	format text not null,
	source text not null
) strict`,
		`create table former_names (
	owner_id text not null,
	name text not null,
	workflow_id text not null,
	until integer not null,
	primary key (owner_id, name, workflow_id, until)
) strict, without rowid`,
		"create index former_names_workflow on former_names (workflow_id)",
	],
};
