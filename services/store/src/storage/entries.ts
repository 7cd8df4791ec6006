import type { Entry } from "@tripline/contract/entries";
import type { Place } from "@tripline/contract/paging";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";

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
}

export interface EntryFilter {
	readonly entry_type?: string | undefined;
	readonly owner_id?: string | undefined;
	readonly page_name?: string | undefined;
	readonly since?: number | undefined;
	readonly until?: number | undefined;
	/** Only entries whose next run is at or before this. */
	readonly dueAt?: number | undefined;
	/** Only failed or only successful execution records. */
	readonly verdict?: "success" | "failed" | undefined;
	readonly after?: Place | undefined;
	readonly limit: number;
}

export type EntryRow = Entry & {
	readonly seq: number;
	readonly next_run_at: number | null;
	/** Of the texts of this and all rows before it. */
	readonly bytes: number;
};

export interface Page<Item> {
	readonly items: readonly Item[];
	readonly next: Place | null;
}

/** A page stops before its texts pass this, so that a thousand large entries do not meet in memory. */
const PAGE_BYTES = 4 * 1024 * 1024;

const WIRE = "id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at";

/** Types that come in bulk stand in fewer indexes; the words are those of the indexes. */
const BULK_TYPES = ["execution_log", "triplet"];
const NOT_BULK = "entry_type not in ('execution_log', 'triplet')";
const LOG = "entry_type = 'execution_log'";

export function entryStorage(sql: Sql) {
	return {
		/**
		 * One statement, so that parallel callers leave one entry. The row to update is the one that carries the key, else
		 * the oldest that was appended without it; none gives a null primary key, and so a new row.
		 */
		async upsert(entry: NewEntry): Promise<{ entry: Entry; created: boolean }> {
			const key = upsertKey(entry);
			const [outcome] = await sql.write([
				statement(
					`insert into entries (seq, ${WIRE}, upsert_key, schedule, next_run_at)
					values (
						coalesce(
							(select seq from entries where upsert_key = ?1),
							(select seq from entries where owner_id = ?4 and entry_type = ?3 and page_name = ?5
								order by created_at, seq limit 1)
						),
						?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?1, ?9, ?10
					)
					on conflict (seq) do update set
						content = excluded.content,
						metadata_json = excluded.metadata_json,
						updated_at = excluded.updated_at,
						upsert_key = excluded.upsert_key,
						next_run_at = case when schedule is excluded.schedule then next_run_at else excluded.next_run_at end,
						schedule = excluded.schedule
					returning ${WIRE}`,
					key,
					entry.id,
					entry.entry_type,
					entry.owner_id,
					entry.page_name,
					entry.content,
					entry.metadata_json,
					entry.now,
					entry.schedule ?? null,
					entry.next_run_at ?? null,
				),
			]);
			const stored = outcome?.rows[0] as unknown as Entry;
			return { entry: stored, created: stored.id === entry.id };
		},

		async append(entry: NewEntry): Promise<Entry> {
			const [outcome] = await sql.write([
				statement(
					`insert into entries (${WIRE}, template_id, schedule, next_run_at)
					values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10) returning ${WIRE}`,
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
				),
			]);
			return outcome?.rows[0] as unknown as Entry;
		},

		async get(id: string): Promise<Entry | null> {
			const rows = await sql.read<Entry>(statement(`select ${WIRE} from entries where id = ?1`, id));
			return rows[0] ?? null;
		},

		/** Whether the entry was there. The owner is part of the statement: no id reaches another's entry. */
		async delete(id: string, owner: string): Promise<boolean> {
			const [outcome] = await sql.write([
				statement("delete from entries where id = ?1 and owner_id = ?2", id, owner),
			]);
			return (outcome?.changes ?? 0) > 0;
		},

		async list(filter: EntryFilter): Promise<Page<EntryRow>> {
			const rows = await sql.read<EntryRow>(listing(filter));
			const fitting = rows.findIndex((row, index) => index > 0 && row.bytes > PAGE_BYTES);
			const count = Math.min(filter.limit, fitting === -1 ? rows.length : fitting);
			const items = rows.slice(0, count);
			const last = items.at(-1);
			const more = rows.length > count && last !== undefined;
			return { items, next: more ? { created_at: last.created_at, seq: last.seq } : null };
		},
	};
}

export type EntryStorage = ReturnType<typeof entryStorage>;

/** The line feed is in neither an owner nor a type. */
export const upsertKey = (entry: Pick<NewEntry, "owner_id" | "entry_type" | "page_name">): string =>
	`${entry.owner_id}\n${entry.entry_type}\n${entry.page_name}`;

/** Newest first. Every branch is read in the order of an index that holds it, and only as far as the page needs. */
function listing(filter: EntryFilter): Statement {
	const values: SqlValue[] = [];
	const bind = (value: SqlValue) => `?${values.push(value)}`;
	const terms: string[] = [];
	// The owner comes first: OWNERS_TYPES refers to it as ?1.
	if (filter.owner_id !== undefined) terms.push(`owner_id = ${bind(filter.owner_id)}`);
	if (filter.entry_type !== undefined) terms.push(`entry_type = ${bind(filter.entry_type)}`);
	if (filter.page_name !== undefined) terms.push(`page_name = ${bind(filter.page_name)}`);
	if (filter.since !== undefined) terms.push(`created_at >= ${bind(filter.since)}`);
	if (filter.until !== undefined) terms.push(`created_at <= ${bind(filter.until)}`);
	if (filter.dueAt !== undefined) terms.push(`next_run_at <= ${bind(filter.dueAt)}`);
	if (filter.after !== undefined) {
		terms.push(`(created_at, seq) < (${bind(filter.after.created_at)}, ${bind(filter.after.seq)})`);
	}
	const limit = bind(filter.limit + 1);
	const newest = branches(filter).map(({ index, term }) => {
		const where = [...terms, term].filter((each) => each !== undefined).join(" and ");
		return `select * from (
			select * from entries ${index === undefined ? "" : `indexed by ${index}`}
			${where === "" ? "" : `where ${where}`}
			order by created_at desc, seq desc limit ${limit}
		)`;
	});
	return {
		text: `select ${WIRE}, seq, next_run_at,
			sum(octet_length(content) + octet_length(metadata_json)) over (order by created_at desc, seq desc) as bytes
			from (${newest.join(" union all ")}) order by created_at desc, seq desc limit ${limit}`,
		values,
	};
}

interface Branch {
	/** Where the planner would take an index with more equal columns but far more rows. */
	readonly index?: string;
	/** Written out, not bound: a partial index is used only where its own words stand in the query. */
	readonly term?: string;
}

function branches(filter: EntryFilter): Branch[] {
	if (filter.dueAt !== undefined) return [{ index: "entries_due" }];
	if (filter.verdict === "failed")
		return [{ index: "entries_failures", term: `${LOG} and ${VERDICT} = 'failed'` }];
	if (filter.verdict === "success") return [{ term: `${VERDICT} = 'success'` }];
	if (filter.entry_type === undefined) return [ofOtherTypes(filter), ...BULK_TYPES.map(ofBulkType)];
	return filter.owner_id === undefined && !BULK_TYPES.includes(filter.entry_type)
		? [{ term: NOT_BULK }]
		: [{}];
}

const ofBulkType = (type: string): Branch => ({ term: `entry_type = '${type}'` });

function ofOtherTypes(filter: EntryFilter): Branch {
	if (filter.owner_id === undefined || filter.page_name === undefined) return { term: NOT_BULK };
	return { index: "entries_page", term: `${NOT_BULK} and entry_type in (${OWNERS_TYPES})` };
}

const VERDICT = "json_extract(metadata_json, '$.verdict')";

/** Steps from one type to the next through the index: an owner has many entries but few types. */
const OWNERS_TYPES = `
	with recursive types (name) as (
		select min(entry_type) from entries where owner_id = ?1
		union all
		select (select min(entry_type) from entries where owner_id = ?1 and entry_type > types.name)
		from types where types.name is not null
	)
	select name from types`;
