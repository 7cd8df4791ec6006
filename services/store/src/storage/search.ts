import { isStoreKept, STORE_KEPT_TYPES } from "@tripline/contract/entry-types";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import type { SearchIndex } from "../domain/search/find.ts";
import { buildTerms, type Indexable, TERMS_VERSION } from "../domain/search/terms.ts";
import { listNewestInPostgres } from "./postgres/search.ts";

export interface FoundEntry {
	readonly seq: number;
	readonly id: string;
	readonly entry_type: string;
	readonly page_name: string;
	/** Truncated to the length of an excerpt. */
	readonly content: string;
}

export interface Swept {
	readonly indexed: number;
	/** Where the next step starts; null when finished. */
	readonly next: number | null;
}

/** How many characters of an entry are read to show where it matches. */
export const MAX_EXCERPT_LENGTH = 50_000;

/** Limits of one sweep step. */
const MAX_SWEPT_PLACES = 1000;
const MAX_SWEPT_ENTRIES = 100;
const MAX_SWEPT_BYTES = 128 * 1024;

/** Indexes an appended entry; no statement for a type that is never searched. */
export function indexAppended(id: string, entry: Indexable): Statement[] {
	if (isStoreKept(entry.entry_type)) return [];
	return [
		statement(
			"insert into search (rowid, terms) select seq, ?2 from entries where id = ?1",
			id,
			buildTerms(entry),
		),
	];
}

/** Indexes a replaced entry. Run it after the write, which removes changed content from the index. */
export function indexReplaced(id: string, entry: Indexable): Statement[] {
	if (isStoreKept(entry.entry_type)) return [];
	return [
		statement(
			`insert into search (rowid, terms) select seq, ?2 from entries where id = ?1 and ${NOT_INDEXED}`,
			id,
			buildTerms(entry),
		),
	];
}

/**
 * Indexes entries that have an upsert key, any number in one statement. Run it after the write, which removes changed
 * content from the index; entries that are still indexed stay unchanged.
 */
export function indexUpserted(entries: readonly (Indexable & { readonly key: string })[]): Statement[] {
	const keys = new Set<string>();
	const searched = entries.filter(
		({ entry_type, key }) => !isStoreKept(entry_type) && !keys.has(key) && keys.add(key),
	);
	if (searched.length === 0) return [];
	const [only] = searched;
	if (only !== undefined && searched.length === 1) {
		return [
			statement(
				`insert into search (rowid, terms) select seq, ?2 from entries where upsert_key = ?1 and ${NOT_INDEXED}`,
				only.key,
				buildTerms(only),
			),
		];
	}
	return [
		statement(
			`insert into search (rowid, terms) select seq, value ->> 'terms' from json_each(?1)
			cross join entries on upsert_key = value ->> 'key' where ${NOT_INDEXED}`,
			JSON.stringify(searched.map((entry) => ({ key: entry.key, terms: buildTerms(entry) }))),
		),
	];
}

/**
 * Indexes deprecated entries, which a trigger has removed from the index, in the history area. Their position is the
 * negated `seq`, so that both areas share one index.
 */
export function indexRetired(entries: readonly (Indexable & { readonly seq: number })[]): Statement[] {
	if (entries.length === 0) return [];
	const retired = entries.map((entry) => ({ seq: entry.seq, terms: buildTerms(entry, "history") }));
	return [
		statement(
			`delete from search where rowid in (select -cast(value ->> 'seq' as integer) from json_each(?1))`,
			JSON.stringify(retired),
		),
		statement(
			`insert into search (rowid, terms) select -entries.seq, value ->> 'terms'
			from json_each(?1) cross join entries on entries.seq = cast(value ->> 'seq' as integer)`,
			JSON.stringify(retired),
		),
	];
}

const NOT_INDEXED = "not exists (select 1 from search where rowid = entries.seq)";

export function searchStorage(sql: Sql) {
	const index: SearchIndex = {
		async listNewest(expressions, most) {
			if (sql.dialect === "postgres") return listNewestInPostgres(sql, expressions, most);
			const rows = await sql.read<{ entries: string; oldest: number | null }>(
				statement(
					`select
						(select json_group_array(rowid) from (
							select rowid from search where search match asked.value order by rowid desc limit +?2
						)) as entries,
						case asked.key when 0 then (
							select rowid from search where search match asked.value order by rowid limit 1
						) end as oldest
					from json_each(?1) as asked order by asked.key`,
					JSON.stringify(expressions),
					most,
				),
			);
			return {
				answers: rows.map((row) => JSON.parse(row.entries) as number[]),
				oldest: rows[0]?.oldest ?? 0,
			};
		},

		async filterByType(entries, types) {
			const rows = await sql.read<{ seq: number }>(
				statement(
					`select seq from json_each(?1) as place cross join entries on seq = cast(place.value as integer)
					where entry_type in (select value from json_each(?2))`,
					JSON.stringify(entries),
					JSON.stringify(types),
				),
			);
			return rows.map(({ seq }) => seq);
		},
	};

	return {
		index,

		/** The entries at these positions, in that order. The owner is checked again, independently of the index. */
		read: (owner: string, places: readonly number[]): Promise<FoundEntry[]> =>
			sql.read<FoundEntry>(
				statement(
					`select seq, entries.id, entry_type, page_name, substr(content, 1, ${MAX_EXCERPT_LENGTH}) as content
					from json_each(?2) as place cross join entries on seq = cast(place.value as integer)
					where owner_id = ?1 order by place.key`,
					owner,
					JSON.stringify(places),
				),
			),

		sweep: async (from: number): Promise<Swept> => {
			const { unit, ...swept } = await prepareSweep(from);
			await sql.write(unit);
			return swept;
		},

		/** One step of reindexing after a change of `TERMS_VERSION`; returns whether more remains. */
		async catchUp(): Promise<boolean> {
			const [state] = await sql.read<{ version: number; swept_to: number | null }>(
				statement("select version, swept_to from search_state"),
			);
			const isCurrent = state?.version === TERMS_VERSION;
			if (isCurrent && state.swept_to === null) return false;
			const { unit, next } = await prepareSweep(isCurrent ? (state.swept_to ?? 0) : 0);
			await sql.write([
				...unit,
				statement("update search_state set version = ?1, swept_to = ?2", TERMS_VERSION, next),
			]);
			return next !== null;
		},
	};

	/** Indexes the next entries and removes index rows that have no entry. */
	async function prepareSweep(from: number): Promise<Swept & { readonly unit: Statement[] }> {
		const [end] = await sql.read<{ last: number | null }>(statement("select max(seq) as last from entries"));
		const read = await sql.read<Indexable & { seq: number; place: number; bytes: number }>(
			statement(
				`select seq, ${PLACE} as place, owner_id, entry_type, page_name, content,
					sum(octet_length(content)) over (order by seq) as bytes
				from entries where seq > ?1 and seq <= ?1 + ${MAX_SWEPT_PLACES} and ${SEARCHED}
				order by seq limit ${MAX_SWEPT_ENTRIES}`,
				from,
			),
		);
		const entries = read.filter(({ bytes }, nth) => nth === 0 || bytes <= MAX_SWEPT_BYTES);
		const isWhole = entries.length === read.length && read.length < MAX_SWEPT_ENTRIES;
		const to = isWhole ? from + MAX_SWEPT_PLACES : (entries.at(-1)?.seq ?? from);
		const swept = JSON.stringify(
			entries.map(({ seq, place, ...entry }) => ({
				seq,
				place,
				content: entry.content,
				terms: place < 0 ? buildTerms(entry, "history") : buildTerms(entry),
			})),
		);
		const withoutEntry = `rowid not in (select ${PLACE} from entries where seq > ?1 and seq <= ?2 and ${SEARCHED})`;
		return {
			indexed: entries.length,
			next: to >= (end?.last ?? 0) ? null : to,
			unit: [
				statement(`delete from search where rowid > ?1 and rowid <= ?2 and ${withoutEntry}`, from, to),
				statement(`delete from search where rowid < -?1 and rowid >= -?2 and ${withoutEntry}`, from, to),
				statement(`delete from search where rowid in (select ${PLACE} from ${UNCHANGED})`, swept),
				statement(
					`insert into search (rowid, terms) select ${PLACE}, value ->> 'terms' from ${UNCHANGED}`,
					swept,
				),
			],
		};
	}
}

export type SearchStorage = ReturnType<typeof searchStorage>;

const SEARCHED = `entry_type not in ('${STORE_KEPT_TYPES.join("', '")}')`;

/** An entry's position in the index. */
const PLACE = `iif(entry_type = 'triplet' and json_extract(metadata_json, '$.status') = 'deprecated',
	-entries.seq, entries.seq)`;

/** Entries changed since the read are skipped, because the change has indexed them. */
const UNCHANGED = `json_each(?1) cross join entries on seq = cast(value ->> 'seq' as integer)
	where content = value ->> 'content' and ${PLACE} = cast(value ->> 'place' as integer)`;
