import type { Entry } from "@tripline/contract/entries";
import { type Sql, type SqlValue, statement } from "@tripline/platform/sql";
import type { EntryFilter } from "./listing.ts";
import { type EntryRow, type MetadataMatch, type Page, readMatchingPage, readPage } from "./pages.ts";
import { indexAppended, indexReplaced, indexUpserted } from "./search.ts";

export interface NewEntry {
	readonly id: string;
	readonly entry_type: string;
	readonly owner_id: string;
	readonly page_name: string;
	readonly content: string;
	readonly metadata_json: string;
	readonly now: number;
	readonly template_id?: string;
	readonly schedule?: string | null;
	readonly next_run_at?: number | null;
	readonly listens?: string | null;
}

/** With undefined metadata an existing entry keeps its own, and the columns derived from it. */
export type EntryChange = Omit<NewEntry, "metadata_json"> & { readonly metadata_json: string | undefined };

const WIRE = "id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at";

/** Leaves out the key, because assigning it would rewrite its index on every update. */
const UPDATED_CONTENT = "content = excluded.content, updated_at = excluded.updated_at";
const UPDATED = `${UPDATED_CONTENT},
	metadata_json = excluded.metadata_json,
	next_run_at = case when excluded.schedule is not null and schedule is excluded.schedule
		and (excluded.next_run_at is null or next_run_at <= excluded.next_run_at)
		then next_run_at else excluded.next_run_at end,
	schedule = excluded.schedule,
	listens = excluded.listens`;

export function entryStorage(sql: Sql) {
	return {
		/**
		 * One statement, so that parallel callers leave one entry. It updates the row that has the key, else the oldest row
		 * appended without one, which then gets the key. Without either, the primary key is null, which inserts a new row.
		 */
		async upsert(entry: EntryChange): Promise<{ entry: Entry; created: boolean }> {
			const key = buildUpsertKey(entry);
			const updated = entry.metadata_json === undefined ? UPDATED_CONTENT : UPDATED;
			const [outcome] = await sql.write([
				statement(
					`insert into entries (seq, ${WIRE}, upsert_key, schedule, next_run_at, listens)
					values (
						case when not exists (select 1 from entries where upsert_key = ?1) then (
							${OLDEST_MATCH}
						) end,
						?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?1, ?9, ?10, ?11
					)
					on conflict (upsert_key) where upsert_key is not null do update set ${updated}
					on conflict (seq) do update set ${updated}, upsert_key = excluded.upsert_key
					returning ${WIRE}`,
					...toKeyedValues(key, entry),
				),
				...indexUpserted([{ ...entry, key }]),
			]);
			const stored = outcome?.rows[0] as unknown as Entry;
			return { entry: stored, created: stored.id === entry.id };
		},

		/** Inserts the entry unless it exists; an existing one stays unchanged. */
		async insertOnce(entry: NewEntry): Promise<{ entry: Entry; created: boolean }> {
			const key = buildUpsertKey(entry);
			const outcomes = await sql.write([
				statement(
					`insert into entries (${WIRE}, upsert_key, schedule, next_run_at, listens)
					select ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?1, ?9, ?10, ?11
					where not exists (${OLDEST_MATCH})
					on conflict (upsert_key) where upsert_key is not null do nothing`,
					...toKeyedValues(key, entry),
				),
				...indexAppended(entry.id, entry),
				statement(
					`select ${WIRE} from entries where seq = coalesce(
						(select seq from entries where upsert_key = ?1),
						(select seq from entries where owner_id = ?2 and entry_type = +?3 and page_name = ?4
							order by webhook, created_at, seq limit 1)
					)`,
					key,
					entry.owner_id,
					entry.entry_type,
					entry.page_name,
				),
			]);
			const stored = outcomes.at(-1)?.rows[0] as unknown as Entry;
			return { entry: stored, created: stored.id === entry.id };
		},

		/** Null if no entry has that id, type and page. */
		async replace(entry: EntryChange): Promise<Entry | null> {
			const { metadata_json } = entry;
			const derived = `, metadata_json = ?7,
				next_run_at = case when ?8 is not null and schedule is ?8 and (?9 is null or next_run_at <= ?9)
					then next_run_at else ?9 end,
				schedule = ?8, listens = ?10`;
			const [outcome] = await sql.write([
				statement(
					`update entries set content = ?5, updated_at = ?6${metadata_json === undefined ? "" : derived}
					where id = ?1 and owner_id = ?2 and entry_type = +?3 and page_name = ?4 returning ${WIRE}`,
					entry.id,
					entry.owner_id,
					entry.entry_type,
					entry.page_name,
					entry.content,
					entry.now,
					...(metadata_json === undefined
						? []
						: [metadata_json, entry.schedule ?? null, entry.next_run_at ?? null, entry.listens ?? null]),
				),
				...indexReplaced(entry.id, entry),
			]);
			return (outcome?.rows[0] as unknown as Entry | undefined) ?? null;
		},

		async append(entry: NewEntry): Promise<Entry> {
			const [outcome] = await sql.write([
				statement(
					`insert into entries (${WIRE}, template_id, schedule, next_run_at, listens)
					values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11) returning ${WIRE}`,
					entry.id,
					entry.entry_type,
					entry.owner_id,
					entry.page_name,
					entry.content,
					entry.metadata_json,
					entry.now,
					entry.template_id ?? null,
					entry.schedule ?? null,
					entry.next_run_at ?? null,
					entry.listens ?? null,
				),
				...indexAppended(entry.id, entry),
			]);
			return outcome?.rows[0] as unknown as Entry;
		},

		async get(id: string): Promise<Entry | null> {
			const rows = await sql.read<Entry>(statement(`select ${WIRE} from entries where id = ?1`, id));
			return rows[0] ?? null;
		},

		/** Whether the entry existed. The owner is part of the condition, so an id cannot delete another owner's entry. */
		async delete(id: string, owner: string): Promise<boolean> {
			const [outcome] = await sql.write([
				statement("delete from entries where id = ?1 and owner_id = ?2", id, owner),
			]);
			return (outcome?.changes ?? 0) > 0;
		},

		/** With `isMatch` only the entries whose metadata matches; such a page may hold few and still not be the last. */
		list: (filter: EntryFilter, isMatch?: MetadataMatch): Promise<Page<EntryRow>> =>
			isMatch === undefined ? readPage(sql, filter) : readMatchingPage(sql, filter, isMatch),

		/** Whether the owner has a workflow that events can start. */
		async isListening(owner: string): Promise<boolean> {
			const rows = await sql.read(
				statement(
					"select 1 from entries indexed by entries_listens where owner_id = ?1 and listens is not null limit 1",
					owner,
				),
			);
			return rows.length > 0;
		},

		/** The number of scheduled workflows, from a counter: one row read, however many there are. */
		async countScheduled(): Promise<number> {
			const [row] = await sql.read<{ value: number }>(
				statement("select value from counters where name = 'scheduled'"),
			);
			return row?.value ?? 0;
		},
	};
}

/**
 * Shared by both writes with a key: an entry appended without one is used before a new one is created. The order
 * follows the index, whose first column is set only for execution records, which are never written this way.
 */
const OLDEST_MATCH = `select seq from entries where owner_id = ?4 and entry_type = +?3 and page_name = ?5
	order by webhook, created_at, seq limit 1`;

const toKeyedValues = (key: string, entry: EntryChange): SqlValue[] => [
	key,
	entry.id,
	entry.entry_type,
	entry.owner_id,
	entry.page_name,
	entry.content,
	entry.metadata_json ?? "{}",
	entry.now,
	entry.schedule ?? null,
	entry.next_run_at ?? null,
	entry.listens ?? null,
];

export type EntryStorage = ReturnType<typeof entryStorage>;

/** Unambiguous, because neither an owner nor a type contains a line feed. */
export const buildUpsertKey = (entry: Pick<NewEntry, "owner_id" | "entry_type" | "page_name">): string =>
	`${entry.owner_id}\n${entry.entry_type}\n${entry.page_name}`;
