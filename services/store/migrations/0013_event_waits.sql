create table if not exists migrations (version integer primary key, name text not null) strict;

create index entries_event_waits on entries (owner_id, metadata_json ->> '$.event_word', seq)
		where entry_type = 'event_wait';

insert into migrations (version, name) values (13, 'event_waits');
