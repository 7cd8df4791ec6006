import type { Migration } from "@tripline/platform/migrations";

/** Types that come in bulk, among them what is kept only for a while. A list of more than two is looked up, and that at every insert. */
const NOT_BULK = `entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run'`;

const TRIGGER_TYPE = "json_extract(metadata_json, '$.config.trigger.type')";
const EVENT = "json_extract(metadata_json, '$.config.trigger.event')";

/**
 * What the executor asks for. The workflows that listen are found by an index that nothing else stands in; how many have
 * a schedule is a number that triggers keep, because counting them every minute would read them all every minute.
 *
 * Three indexes are made anew without the types that are kept only for a while: on D1 each would be one more row written
 * when such an entry comes and one more when it goes. The version before runs on without them, only slower in lists that
 * name no type.
 */
export const executor: Migration = {
	version: 5,
	name: "executor",
	statements: [
		"alter table entries add column listens text",
		`update entries set listens = ${EVENT}
	where entry_type = 'workflow' and json_valid(metadata_json) and ${TRIGGER_TYPE} = 'event'
		and json_type(metadata_json, '$.config.trigger.event') = 'text' and ${EVENT} <> ''`,
		"create index entries_listens on entries (owner_id, created_at) where listens is not null",
		"create table counters (name text primary key, value integer not null) strict, without rowid",
		`insert into counters (name, value)
	select 'scheduled', count(*) from entries where schedule is not null`,
		`create trigger entries_scheduled_new after insert on entries when new.schedule is not null begin
	update counters set value = value + 1 where name = 'scheduled'; end`,
		`create trigger entries_scheduled_changed after update of schedule on entries
	when (new.schedule is null) <> (old.schedule is null) begin
	update counters set value = value + iif(new.schedule is null, -1, 1) where name = 'scheduled'; end`,
		`create trigger entries_scheduled_deleted after delete on entries when old.schedule is not null begin
	update counters set value = value - 1 where name = 'scheduled'; end`,
		"drop index entries_owner",
		`create index entries_owner on entries (owner_id, created_at)
	where ${NOT_BULK}`,
		"drop index entries_type",
		`create index entries_type on entries (entry_type, created_at)
	where ${NOT_BULK}`,
		"drop index entries_newest",
		`create index entries_newest on entries (created_at)
	where ${NOT_BULK}`,
		`delete from search where rowid in (
	select seq from entries where entry_type in ('occurrence', 'idempotency', 'event_seen', 'accepted_run',
		'credential', 'vault_key', 'api_recipe', 'auth_recipe', 'installed_component')
)`,
	],
};
