import type { Migration } from "@tripline/platform/migrations";

/**
 * An index of terms that the service makes itself; the text of an entry stands only in the entry. Position lists are left
 * out: how much a term matters in an entry is part of the term.
 *
 * Triggers take words out, so that no way of changing or deleting an entry leaves words behind; putting words in is the
 * writer's, because the database cannot make them.
 */
export const search: Migration = {
	version: 2,
	name: "search",
	statements: [
		`create virtual table search using fts5 (
	terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
)`,
		`create table search_state (
	id integer primary key check (id = 1),
	version integer not null,
	swept_to integer
) strict`,
		`insert into search_state (id, version, swept_to)
	select 1, count(*) = 0, iif(count(*) = 0, null, 0) from (select 1 from entries limit 1)`,
		`create trigger entries_search_deleted after delete on entries when old.entry_type <> 'execution_log' begin
	delete from search where rowid in (old.seq, -old.seq); end`,
		`create trigger entries_search_changed after update of content on entries when new.content is not old.content begin
	delete from search where rowid = old.seq; end`,
		`create trigger entries_search_retired after update of metadata_json on entries
	when new.entry_type = 'triplet' and json_extract(new.metadata_json, '$.status') = 'deprecated' begin
	delete from search where rowid = old.seq; end`,
	],
};
