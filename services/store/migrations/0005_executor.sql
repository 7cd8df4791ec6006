create table if not exists migrations (version integer primary key, name text not null) strict;

alter table entries add column listens text;

update entries set listens = json_extract(metadata_json, '$.config.trigger.event')
	where entry_type = 'workflow' and json_valid(metadata_json) and json_extract(metadata_json, '$.config.trigger.type') = 'event'
		and json_type(metadata_json, '$.config.trigger.event') = 'text' and json_extract(metadata_json, '$.config.trigger.event') <> '';

create index entries_listens on entries (owner_id, created_at) where listens is not null;

create table counters (name text primary key, value integer not null) strict, without rowid;

insert into counters (name, value)
	select 'scheduled', count(*) from entries where schedule is not null;

create trigger entries_scheduled_new after insert on entries when new.schedule is not null begin
	update counters set value = value + 1 where name = 'scheduled'; end;

create trigger entries_scheduled_changed after update of schedule on entries
	when (new.schedule is null) <> (old.schedule is null) begin
	update counters set value = value + iif(new.schedule is null, -1, 1) where name = 'scheduled'; end;

create trigger entries_scheduled_deleted after delete on entries when old.schedule is not null begin
	update counters set value = value - 1 where name = 'scheduled'; end;

drop index entries_owner;

create index entries_owner on entries (owner_id, created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run';

drop index entries_type;

create index entries_type on entries (entry_type, created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run';

drop index entries_newest;

create index entries_newest on entries (created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run';

delete from search where rowid in (
	select seq from entries where entry_type in ('occurrence', 'idempotency', 'event_seen', 'accepted_run',
		'credential', 'vault_key', 'api_recipe', 'auth_recipe', 'installed_component')
);

insert into migrations (version, name) values (5, 'executor');
