import type { Entry, VersionedEntry } from "@tripline/contract/entries";
import { EVENT_WAIT } from "@tripline/contract/waits";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
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
	/** Who writes it, and by what: kept with the versions of a workflow. */
	readonly author?: string | undefined;
	readonly client?: string | undefined;
}

/** `now` in Unix seconds; who deletes a workflow, and by what. */
export interface Deletion extends Pick<NewEntry, "now" | "author" | "client"> {
	readonly ifVersion?: number | undefined;
}

/** With undefined metadata an existing entry keeps its own, and the columns derived from it. */
export type EntryChange = Omit<NewEntry, "metadata_json"> & { readonly metadata_json: string | undefined };

/** Conditions on a write of a workflow, checked in its unit of work. */
export interface WorkflowCondition {
	/** The current version. */
	readonly ifVersion?: number | undefined;
	/** The revision of the draft that is deleted with the write. */
	readonly publishesDraft?: number | undefined;
}

export const WIRE = "id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at";
export const RETURNED = `${WIRE}, version, disabled`;

/** An entry as it is stored: null where the entry has none. */
export type StoredEntry = Entry & {
	readonly version: number | null;
	readonly disabled: number | null;
};

/** Leaves out the key, because assigning it would rewrite its index on every update. */
const buildUpdate = (
	isChanged: string,
): string => `content = excluded.content, updated_at = excluded.updated_at,
	version = case when entries.version is not null then entries.version + case when ${isChanged} then 1 else 0 end end,
	author = excluded.author, client = excluded.client`;
const UPDATED_CONTENT = buildUpdate("entries.content is distinct from excluded.content");
const UPDATED = `${buildUpdate(
	"entries.content is distinct from excluded.content or entries.metadata_json is distinct from excluded.metadata_json",
)},
	metadata_json = excluded.metadata_json,
	next_run_at = case when entries.disabled is not null then null
		when excluded.schedule is not null and entries.schedule is not distinct from excluded.schedule
			and (excluded.next_run_at is null or entries.next_run_at <= excluded.next_run_at)
		then entries.next_run_at else excluded.next_run_at end,
	schedule = excluded.schedule,
	listens = excluded.listens`;

export function entryStorage(sql: Sql) {
	return {
		/**
		 * One statement, so that parallel callers leave one entry. It updates the row that has the key, else the oldest row
		 * appended without one, which then gets the key. Without either, the primary key is null, which inserts a new row.
		 */
		async upsert(entry: EntryChange): Promise<{ entry: VersionedEntry; created: boolean }> {
			const key = buildUpsertKey(entry);
			const outcomes = await sql.write([
				...adoptUnkeyed(sql, key, entry),
				statement(buildUpsert(sql, entry, "true"), ...toKeyedValues(key, entry)),
				...indexUpserted([{ ...entry, key }]),
			]);
			const stored = toEntry(outcomes.flatMap(({ rows }) => rows)[0] as unknown as StoredEntry);
			return { entry: stored, created: stored.id === entry.id };
		},

		/** Replaces a workflow if its current version is this one; null if it is another or there is none. */
		async replaceVersion(
			entry: EntryChange,
			{ ifVersion, publishesDraft }: WorkflowCondition & { readonly ifVersion: number },
		): Promise<VersionedEntry | null> {
			const key = buildUpsertKey(entry);
			const isCurrent = `(select version from entries where seq = coalesce(
				(select seq from entries where upsert_key = ?1), (${OLDEST_MATCH}))) = ?15`;
			const values = [...toKeyedValues(key, entry), ifVersion];
			const publishing =
				publishesDraft === undefined
					? []
					: [
							statement(
								`delete from workflow_drafts where revision = ?3 and workflow_id = (
									select id from entries where upsert_key = ?1 and version = ?2)`,
								key,
								ifVersion,
								publishesDraft,
							),
						];
			const outcomes = await sql.write([
				// First, while the version is still the one that the condition names.
				...publishing,
				...adoptUnkeyed(sql, key, entry),
				statement(buildUpsert(sql, entry, isCurrent), ...values),
				...indexUpserted([{ ...entry, key }]),
			]);
			const stored = outcomes.flatMap(({ rows }) => rows)[0] as unknown as StoredEntry | undefined;
			return stored === undefined ? null : toEntry(stored);
		},

		/** Inserts the entry unless it exists; an existing one stays unchanged. */
		async insertOnce(entry: NewEntry): Promise<{ entry: VersionedEntry; created: boolean }> {
			const key = buildUpsertKey(entry);
			const outcomes = await sql.write([
				statement(
					`insert into entries (${WIRE}, ${KEYED})
					select ${KEYED_VALUES}
					where not exists (${OLDEST_MATCH})
					on conflict (upsert_key) where upsert_key is not null do nothing`,
					...toKeyedValues(key, entry),
				),
				...indexAppended(entry.id, entry),
				statement(
					`select ${RETURNED} from entries where seq = coalesce(
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
			const stored = toEntry(outcomes.at(-1)?.rows[0] as unknown as StoredEntry);
			return { entry: stored, created: stored.id === entry.id };
		},

		/** Null if no entry has that id, type and page. */
		async replace(entry: EntryChange): Promise<VersionedEntry | null> {
			const { metadata_json } = entry;
			const derived = `, metadata_json = ?9,
				next_run_at = case when disabled is not null then null
					when ?10 is not null and schedule is not distinct from ?10 and (?11 is null or next_run_at <= ?11)
					then next_run_at else ?11 end,
				schedule = ?10, listens = ?12`;
			const isChanged = `content is distinct from ?5${metadata_json === undefined ? "" : " or metadata_json is distinct from ?9"}`;
			const [outcome] = await sql.write([
				statement(
					`update entries set content = ?5, updated_at = ?6, author = ?7, client = ?8,
						version = case when version is not null then version + case when ${isChanged} then 1 else 0 end end
						${metadata_json === undefined ? "" : derived}
					where id = ?1 and owner_id = ?2 and entry_type = +?3 and page_name = ?4 returning ${RETURNED}`,
					entry.id,
					entry.owner_id,
					entry.entry_type,
					entry.page_name,
					entry.content,
					entry.now,
					entry.author ?? null,
					entry.client ?? null,
					...(metadata_json === undefined
						? []
						: [metadata_json, entry.schedule ?? null, entry.next_run_at ?? null, entry.listens ?? null]),
				),
				...indexReplaced(entry.id, entry),
			]);
			const stored = outcome?.rows[0] as unknown as StoredEntry | undefined;
			return stored === undefined ? null : toEntry(stored);
		},

		async append(entry: NewEntry): Promise<VersionedEntry> {
			const [outcome] = await sql.write([
				statement(
					`insert into entries (${WIRE}, template_id, schedule, next_run_at, listens, version, author, client)
					values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) returning ${RETURNED}`,
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
					getFirstVersion(entry),
					entry.author ?? null,
					entry.client ?? null,
				),
				...indexAppended(entry.id, entry),
			]);
			return toEntry(outcome?.rows[0] as unknown as StoredEntry);
		},

		async get(id: string): Promise<VersionedEntry | null> {
			const rows = await sql.read<StoredEntry>(
				statement(`select ${RETURNED} from entries where id = ?1`, id),
			);
			return rows[0] === undefined ? null : toEntry(rows[0]);
		},

		/**
		 * Whether the entry existed. The owner is part of the condition, so an id cannot delete another owner's entry.
		 * `deletion` is needed where the entry may be a workflow, which can be restored afterwards; its `ifVersion`: only a
		 * workflow whose current version this is.
		 */
		async delete(id: string, owner: string, deletion?: Deletion): Promise<boolean> {
			if (deletion === undefined) {
				const [outcome] = await sql.write([
					statement("delete from entries where id = ?1 and owner_id = ?2", id, owner),
				]);
				return (outcome?.changes ?? 0) > 0;
			}
			const { now, ifVersion = null, author = null, client = null } = deletion;
			const which = `id = ?1 and owner_id = ?2${ifVersion === null ? "" : " and version = ?3"}`;
			const values = ifVersion === null ? [id, owner] : [id, owner, ifVersion];
			const outcomes = await sql.write([
				statement(
					`insert into deleted_workflows
						(id, owner_id, name, version, disabled, created_at, deleted_at, author, client)
					select id, owner_id, page_name, version, disabled, created_at, ?4, ?5, ?6 from entries
					where id = ?1 and owner_id = ?2 and entry_type = 'workflow' and (?3 is null or version = ?3)`,
					id,
					owner,
					ifVersion,
					now,
					author,
					client,
				),
				statement(`delete from entries where ${which}`, ...values),
			]);
			return (outcomes[1]?.changes ?? 0) > 0;
		},

		/** With `isMatch` only the entries whose metadata matches; such a page may hold few and still not be the last. */
		list: (filter: EntryFilter, isMatch?: MetadataMatch): Promise<Page<EntryRow>> =>
			isMatch === undefined ? readPage(sql, filter) : readMatchingPage(sql, filter, isMatch),

		/** Whether the owner has a workflow that events can start. */
		async isListening(owner: string): Promise<boolean> {
			const rows = await sql.read(
				statement(
					`select 1 from entries indexed by entries_listens where owner_id = ?1 and listens is not null
					union all select 1 from entries indexed by entries_event_waits
						where entry_type = '${EVENT_WAIT}' and owner_id = ?1 limit 1`,
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

const KEYED = "upsert_key, schedule, next_run_at, listens, version, author, client";
const KEYED_VALUES = "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?1, ?9, ?10, ?11, ?12, ?13, ?14";
const UPSERTED_VALUES = `case when not exists (select 1 from entries where upsert_key = ?1) then (${OLDEST_MATCH}) end,
	${KEYED_VALUES}`;

function buildUpsert({ dialect }: Sql, { metadata_json }: EntryChange, condition: string): string {
	const updated = metadata_json === undefined ? UPDATED_CONTENT : UPDATED;
	const byKey = `on conflict (upsert_key) where upsert_key is not null do update set ${updated}`;
	return dialect === "postgres"
		? `insert into entries (${WIRE}, ${KEYED}) select ${KEYED_VALUES} where ${condition}
			${byKey} returning ${RETURNED}`
		: `insert into entries (seq, ${WIRE}, ${KEYED}) select ${UPSERTED_VALUES} where ${condition}
			${byKey}
			on conflict (seq) do update set ${updated}, upsert_key = excluded.upsert_key
			returning ${RETURNED}`;
}

/** PostgreSQL takes one conflict clause, so that the row without a key gets it before. */
const adoptUnkeyed = ({ dialect }: Sql, key: string, entry: EntryChange): Statement[] =>
	dialect === "postgres"
		? [
				statement(
					`update entries set upsert_key = ?1 where seq = (${OLDEST_MATCH})
						and not exists (select 1 from entries where upsert_key = ?1)`,
					...toKeyedValues(key, entry),
				),
			]
		: [];

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
	getFirstVersion(entry),
	entry.author ?? null,
	entry.client ?? null,
];

const getFirstVersion = ({ entry_type }: Pick<NewEntry, "entry_type">): number | null =>
	entry_type === "workflow" ? 1 : null;

export function toEntry({ version, disabled, ...entry }: StoredEntry): VersionedEntry {
	if (version === null) return entry;
	return disabled === null ? { ...entry, version } : { ...entry, version, disabled: true };
}

export type EntryStorage = ReturnType<typeof entryStorage>;

/** Unambiguous, because neither an owner nor a type contains a line feed. */
export const buildUpsertKey = (entry: Pick<NewEntry, "owner_id" | "entry_type" | "page_name">): string =>
	`${entry.owner_id}\n${entry.entry_type}\n${entry.page_name}`;
