create table if not exists migrations (version integer primary key, name text not null) strict;

alter table entries add column webhook integer;

drop index entries_page;

update entries set webhook = json_extract(metadata_json, '$.trigger') is 'webhook' where entry_type = 'execution_log';

create index entries_page on entries (owner_id, entry_type, page_name, webhook, created_at);

create trigger entries_webhook_unknown after insert on entries
	when new.webhook is null and new.entry_type = 'execution_log' begin
	update entries set webhook = json_extract(metadata_json, '$.trigger') is 'webhook' where seq = new.seq; end;

insert into migrations (version, name) values (8, 'runs_of');
