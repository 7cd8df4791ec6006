import { postgresStatement, type Sql } from "@tripline/platform/sql";
import type { SearchIndex } from "../../domain/search/find.ts";

/** So many entries are collected to look them up in other lists. */
const MAX_COLLECTED = 20_000;

const isIn = (terms: string): string =>
	`exists (select from search_lists where term = any(${terms}) and entry = listed.entry)`;
const IS_AMONG = `term = one and ${isIn("among_terms")} and (also is null or ${isIn("also_terms")})`;

/**
 * Each term of an entry is a row of `search_lists`. Its index has the entries of each term in their order, so that the
 * newest are read without the rest. Terms are hashed, because they would be most of what the index has to store and to
 * compare; a collision makes a search find an entry too many. `search` keeps the terms for the deletion of an entry.
 */
export const SEARCH_INDEX: readonly string[] = [
	`create table search (rowid bigint primary key, terms text collate "C" not null)`,
	// An entry is read from the index alone once a vacuum has seen its rows, and the newest are read most.
	`create table search_lists (term bigint not null, entry bigint not null)
	with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000)`,
	"create index search_lists_term on search_lists (term, entry)",
	`create function search_terms(terms text) returns bigint[] language sql immutable parallel safe
	return array(select hashtextextended(term, 0) from unnest(string_to_array(terms, ' ')) as term)`,
	`create function search_added() returns trigger language plpgsql as $$ begin
	insert into search_lists (term, entry) select unnest(search_terms(terms)), rowid from added;
	return null; end $$`,
	`create trigger search_added after insert on search referencing new table as added
	for each statement execute function search_added()`,
	`create function search_deleted() returns trigger language plpgsql as $$ begin
	delete from search_lists where entry = old.rowid and term = any(search_terms(old.terms));
	return null; end $$`,
	"create trigger search_deleted after delete on search for each row execute function search_deleted()",
	`create function search_newest(terms text, most bigint) returns table (entries text, oldest bigint)
	language plpgsql stable as $$
declare one bigint;
begin
	foreach one in array search_terms(terms) loop
		entries := array_to_string(array(
			select entry from search_lists where term = one order by entry desc limit most), ',');
		oldest := coalesce(oldest, (select entry from search_lists where term = one order by entry limit 1));
		return next;
	end loop;
end $$`,
	// If the entries of `among` are few, they are looked up in the list of each term. If they are many, the newest of that
	// list soon contain enough of them.
	`create function search_newest_among(terms text, among text, also text, most bigint)
	returns table (entries text, oldest bigint) language plpgsql stable as $$
declare
	one bigint;
	among_terms bigint[] := search_terms(among);
	also_terms bigint[] := search_terms(also);
	collected bigint[] := array(
		select entry from search_lists where term = any(among_terms) limit ${MAX_COLLECTED + 1});
	is_complete boolean := cardinality(collected) <= ${MAX_COLLECTED};
begin
	if is_complete and also is not null then
		collected := array(select entry from search_lists where term = any(also_terms) and entry = any(collected));
	end if;
	-- In order, because they are sorted for each list otherwise.
	collected := array(select distinct entry from unnest(collected) as entry order by entry);
	foreach one in array search_terms(terms) loop
		if is_complete then
			entries := array_to_string(array(select entry from search_lists
				where term = one and entry = any(collected) order by entry desc limit most), ',');
			oldest := coalesce(oldest, (select entry from search_lists
				where term = one and entry = any(collected) order by entry limit 1));
		else
			entries := array_to_string(array(select entry from search_lists as listed where ${IS_AMONG}
				order by entry desc limit most), ',');
			oldest := coalesce(oldest, (select entry from search_lists as listed where ${IS_AMONG}
				order by entry limit 1));
		end if;
		return next;
	end loop;
end $$`,
];

interface ListRow {
	readonly entries: string | null;
	readonly oldest: number | null;
}

/** Expressions that differ by their first term alone are read by one statement. */
export async function listNewestInPostgres(
	sql: Sql,
	expressions: readonly string[],
	most: number,
): ReturnType<SearchIndex["listNewest"]> {
	const parsed = expressions.map(parseExpression);
	const rows = new Map<(typeof parsed)[number], ListRow>();
	await Promise.all(
		Map.groupBy(parsed, ({ conditions }) => conditions.join(" AND "))
			.values()
			.map(async (group) => {
				const read = await readLists(
					group.map(({ term }) => term),
					group[0]?.conditions ?? [],
				);
				for (const [nth, each] of group.entries()) rows.set(each, read[nth] as ListRow);
			}),
	);
	const lists = parsed.map((each) => rows.get(each));
	return {
		answers: lists.map((list) => (list?.entries ? list.entries.split(",").map(Number) : [])),
		oldest: lists[0]?.oldest ?? 0,
	};

	function readLists(terms: readonly string[], conditions: readonly string[]): Promise<ListRow[]> {
		const asked = terms.join(" ");
		// The first may be the types of entries, which are many; the last are those that have the rarest word.
		const [among, also = null] = conditions.toReversed();
		return sql.read<ListRow>(
			among === undefined
				? postgresStatement("select * from search_newest(?1, ?2)", asked, most)
				: postgresStatement("select * from search_newest_among(?1, ?2, ?3, ?4)", asked, among, also, most),
		);
	}
}

/** `"a" AND ("b" OR "c")` as a term, and lists of terms of which an entry must have one. */
function parseExpression(expression: string): { term: string; conditions: readonly string[] } {
	const [term = "", ...conditions] = expression
		.split(" AND ")
		.map((part) => [...part.matchAll(/"([^"]*)"/g)].map(([, each]) => each).join(" "));
	return { term, conditions };
}
