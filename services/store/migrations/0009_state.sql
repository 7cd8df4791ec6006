create table if not exists migrations (version integer primary key, name text not null) strict;

alter table entries add column number real;

alter table entries add column expires_at integer;

create index entries_expiry on entries (expires_at, owner_id) where expires_at is not null;

create trigger entries_state_new after insert on entries when new.entry_type = 'state_value' begin
	insert into counters (name, value) values ('state' || char(10) || new.owner_id, 1)
	on conflict (name) do update set value = value + 1; end;

create trigger entries_state_deleted after delete on entries when old.entry_type = 'state_value' begin
	update counters set value = value - 1 where name = 'state' || char(10) || old.owner_id; end;

drop index entries_owner;

create index entries_owner on entries (owner_id, created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run'
	and entry_type <> 'state_value';

drop index entries_type;

create index entries_type on entries (entry_type, created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run'
	and entry_type <> 'state_value';

drop index entries_newest;

create index entries_newest on entries (created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run'
	and entry_type <> 'state_value';

insert into migrations (version, name) values (9, 'state');
