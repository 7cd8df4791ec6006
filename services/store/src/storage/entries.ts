import type { Entry } from "@tripline/contract/entries";
import type { Place } from "@tripline/contract/paging";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
import { indexAppended, indexUpserted } from "./search.ts";

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

export type EntryRow = Entry & { readonly seq: number; readonly next_run_at: number | null };

/** A large text is null at first, so that a thousand of them do not meet in memory. */
interface ListedRow extends Omit<EntryRow, "content" | "metadata_json"> {
	readonly content: string | null;
	readonly metadata_json: string | null;
	readonly bytes: number;
}

export interface Page<Item> {
	readonly items: readonly Item[];
	readonly next: Place | null;
}

/** A page stops before its texts pass this. */
const PAGE_BYTES = 4 * 1024 * 1024;
const LARGE_BYTES = 16 * 1024;

const WIRE = "id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at";

/** Without the key: naming it here would write its index at every update. */
const UPDATED = `content = excluded.content,
	metadata_json = excluded.metadata_json,
	updated_at = excluded.updated_at,
	next_run_at = case when schedule is excluded.schedule then next_run_at else excluded.next_run_at end,
	schedule = excluded.schedule`;

/** Types that come in bulk stand in fewer indexes; the words are those of the indexes. */
const BULK_TYPES = ["execution_log", "triplet"];
const NOT_BULK = "entry_type not in ('execution_log', 'triplet')";
const LOG = "entry_type = 'execution_log'";

export function entryStorage(sql: Sql) {
	return {
		/**
		 * One statement, so that parallel callers leave one entry. The row to update is the one that carries the key, else
		 * the oldest that was appended without it, which gets the key; neither gives a null primary key, and so a new row.
		 */
		async upsert(entry: NewEntry): Promise<{ entry: Entry; created: boolean }> {
			const key = upsertKey(entry);
			const [outcome] = await sql.write([
				statement(
					`insert into entries (seq, ${WIRE}, upsert_key, schedule, next_run_at)
					values (
						case when not exists (select 1 from entries where upsert_key = ?1) then (
							select seq from entries where owner_id = ?4 and entry_type = +?3 and page_name = ?5
							order by created_at, seq limit 1
						) end,
						?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?1, ?9, ?10
					)
					on conflict (upsert_key) where upsert_key is not null do update set ${UPDATED}
					on conflict (seq) do update set ${UPDATED}, upsert_key = excluded.upsert_key
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
				...indexUpserted([{ ...entry, key }]),
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
				...indexAppended(entry.id, entry),
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
			const rows = await sql.read<ListedRow>(listing(filter));
			const count = Math.min(filter.limit, fitting(rows));
			const page = count === rows.length ? rows : rows.slice(0, count);
			const items = page.some(isPartial) ? await withLargeTexts(page) : (page as readonly EntryRow[]);
			const last = items.at(-1);
			const more = rows.length > count && last !== undefined;
			return { items, next: more ? { created_at: last.created_at, seq: last.seq } : null };
		},
	};

	/** Texts that the listing left out, read for the rows of the page only. */
	async function withLargeTexts(rows: readonly ListedRow[]): Promise<readonly EntryRow[]> {
		const texts = await sql.read<Pick<EntryRow, "seq" | "content" | "metadata_json">>(
			statement(
				"select seq, content, metadata_json from entries where seq in (select value from json_each(?1))",
				JSON.stringify(rows.filter(isPartial).map((row) => row.seq)),
			),
		);
		const bySeq = new Map(texts.map((row) => [row.seq, row]));
		// One that was deleted in between is gone.
		return rows.flatMap((row) => {
			const found = isPartial(row) ? bySeq.get(row.seq) : {};
			return found === undefined ? [] : [{ ...row, ...found } as EntryRow];
		});
	}
}

const isPartial = (row: ListedRow): boolean => row.content === null || row.metadata_json === null;

/** How many rows go into a page before their texts pass its size; the first always does. */
function fitting(rows: readonly ListedRow[]): number {
	let bytes = 0;
	for (const [index, row] of rows.entries()) {
		bytes += row.bytes;
		if (bytes > PAGE_BYTES && index > 0) return index;
	}
	return rows.length;
}

export type EntryStorage = ReturnType<typeof entryStorage>;

/** The line feed is in neither an owner nor a type. */
export const upsertKey = (entry: Pick<NewEntry, "owner_id" | "entry_type" | "page_name">): string =>
	`${entry.owner_id}\n${entry.entry_type}\n${entry.page_name}`;

/** Texts by the shape of their filter: there are few shapes, and a text that is not built again is found faster. */
const listings = new Map<number, string>();

function listing(filter: EntryFilter): Statement {
	const values: SqlValue[] = [];
	let shape = shapeOfTypes(filter);
	const add = (value: SqlValue | undefined): void => {
		shape *= 2;
		if (value === undefined) return;
		shape += 1;
		values.push(value);
	};
	add(filter.owner_id);
	add(filter.entry_type);
	add(filter.page_name);
	add(filter.since);
	add(filter.until);
	add(filter.dueAt);
	add(filter.after?.created_at);
	add(filter.after?.seq);
	values.push(filter.limit + 1);
	let text = listings.get(shape);
	if (text === undefined) {
		text = listingText(filter);
		listings.set(shape, text);
	}
	return { text, values };
}

/** What of the type and the verdict stands in the text itself. */
function shapeOfTypes({ entry_type, verdict }: EntryFilter): number {
	if (verdict !== undefined) return verdict === "failed" ? 3 : 2;
	return entry_type !== undefined && BULK_TYPES.includes(entry_type) ? 1 : 0;
}

/** Newest first. Every branch is read in the order of an index that holds it, and only as far as the page needs. */
function listingText(filter: EntryFilter): string {
	let bound = 0;
	const next = () => `?${++bound}`;
	const terms: string[] = [];
	// In the order of the values. The owner comes first: OWNERS_TYPES refers to it as ?1.
	if (filter.owner_id !== undefined) terms.push(`owner_id = ${next()}`);
	if (filter.entry_type !== undefined) terms.push(`entry_type = +${next()}`);
	if (filter.page_name !== undefined) terms.push(`page_name = ${next()}`);
	if (filter.since !== undefined) terms.push(`created_at >= ${next()}`);
	if (filter.until !== undefined) terms.push(`created_at <= ${next()}`);
	if (filter.dueAt !== undefined) terms.push(`next_run_at <= ${next()}`);
	if (filter.after !== undefined) terms.push(`(created_at, seq) < (${next()}, ${next()})`);
	const limit = `+${next()}`;
	const newest = branches(filter).map(({ index, term }) => {
		const where = [...terms, term].filter((each) => each !== undefined).join(" and ");
		return `select ${LISTED} from entries ${index === undefined ? "" : `indexed by ${index}`}
			${where === "" ? "" : `where ${where}`}
			order by created_at desc, seq desc limit ${limit}`;
	});
	if (newest.length === 1) return newest[0] as string;
	const union = newest.map((each) => `select * from (${each})`).join(" union all ");
	return `select * from (${union}) order by created_at desc, seq desc limit ${limit}`;
}

const LISTED = `seq, id, entry_type, owner_id, page_name, created_at, updated_at, next_run_at,
	iif(octet_length(content) > ${LARGE_BYTES}, null, content) as content,
	iif(octet_length(metadata_json) > ${LARGE_BYTES}, null, metadata_json) as metadata_json,
	octet_length(content) + octet_length(metadata_json) as bytes`;

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
