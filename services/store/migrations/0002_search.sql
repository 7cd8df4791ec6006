create table if not exists migrations (version integer primary key, name text not null) strict;

create virtual table search using fts5 (
	terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

create table search_state (
	id integer primary key check (id = 1),
	version integer not null,
	swept_to integer
) strict;

insert into search_state (id, version, swept_to)
	select 1, count(*) = 0, iif(count(*) = 0, null, 0) from (select 1 from entries limit 1);

create trigger entries_search_deleted after delete on entries when old.entry_type <> 'execution_log' begin
	delete from search where rowid in (old.seq, -old.seq); end;

create trigger entries_search_changed after update of content on entries when new.content is not old.content begin
	delete from search where rowid = old.seq; end;

create trigger entries_search_retired after update of metadata_json on entries
	when new.entry_type = 'triplet' and json_extract(new.metadata_json, '$.status') = 'deprecated' begin
	delete from search where rowid = old.seq; end;

insert into migrations (version, name) values (2, 'search');
