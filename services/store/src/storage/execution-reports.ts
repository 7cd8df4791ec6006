import type { ExecutionRecord } from "@tripline/contract/execution-log";
import { type Sql, statement } from "@tripline/platform/sql";
import { toExecutionRecord } from "./execution-log.ts";
import { buildListing, type EntryFilter, LOG, listRunTerms, VERDICT } from "./listing.ts";
import type { EntryRow, Page } from "./pages.ts";

/** Records counted per hour; with the default limit no day has more. */
const MAX_COUNTED_RECORDS = 20_000;
/** Records scanned per page if no index matches the filter. */
const MAX_SCANNED_RECORDS = 2_000;
/** Rows below the newest one that are read again: the number of a deleted newest row is used again. */
const REREAD_ROWS = 200;

const HOUR = 3600;

interface HourOfRuns {
	/** Unix seconds. */
	readonly start: number;
	readonly success: number;
	readonly failed: number;
}

type LogFilter = Omit<EntryFilter, "entry_type" | "owner_id"> & { readonly owner_id: string };

/** Queries over many execution records. */
export function executionReportStorage(sql: Sql) {
	return {
		/** The hours that have records, oldest first. */
		async hours(
			owner: string,
			since: number,
			until: number,
		): Promise<{ readonly hours: readonly HourOfRuns[]; readonly truncated: boolean }> {
			const rows = await sql.read<{ hour: number; count: number; failed: number }>(
				statement(
					`with recursive hours (hour) as (
						select ?5 union all select hour + 1 from hours where hour < ?6
					)
					select hour, (${selectHourCount("entries_owner_type", LOG)}) as count,
						(${selectHourCount("entries_failures", `${LOG} and ${VERDICT} = 'failed'`)}) as failed
					from hours`,
					owner,
					since,
					until,
					MAX_COUNTED_RECORDS + 1,
					// Not in SQL: numbers are bound as floats, so the division would not be an integer division.
					Math.floor(since / HOUR),
					Math.floor(until / HOUR),
				),
			);
			return {
				hours: rows.filter(({ count }) => count > 0).map(toHour),
				truncated: rows.some(({ count }) => count > MAX_COUNTED_RECORDS),
			};
		},

		/**
		 * A page of the records that match `runsOf` and contain the text; an empty text matches all. A page may hold few or
		 * no records and still not be the last.
		 */
		async searchRecords({ runsOf, ...filter }: LogFilter, text: string): Promise<Page<ExecutionRecord>> {
			const { limit, page_name } = filter;
			const lookedAt = buildListing(sql, {
				...filter,
				entry_type: "execution_log",
				// A filter without an index is applied after the scan, so that the scan stays bounded.
				runsOf: page_name === undefined ? undefined : runsOf,
				// A listing reads one row more than its limit.
				limit: MAX_SCANNED_RECORDS - 1,
			});
			const bound = lookedAt.values.length;
			const has = TEXTS.map((each) => `instr(lower(${each}), lower(?${bound + 1})) > 0`).join(" or ");
			const rows = await sql.read<Pick<EntryRow, "id" | "seq" | "created_at" | "metadata_json">>({
				text: `select entries.id, entries.seq, entries.created_at, entries.metadata_json
					from (${lookedAt.text}) as looked_at cross join entries on entries.seq = looked_at.seq
					where (${listRunTerms(runsOf).join(" or ")}) and (${has})
					order by looked_at.created_at desc, looked_at.seq desc limit +?${bound + 2}`,
				values: [...lookedAt.values, text, limit + 1],
			});
			const page = rows.slice(0, limit);
			const items = page.map(toExecutionRecord);
			const last = page.at(-1);
			if (rows.length > limit && last !== undefined) return { items, next: toPlace(last) };
			const [end] = await sql.read<Pick<EntryRow, "seq" | "created_at">>({
				text: `select seq, created_at from (${lookedAt.text}) as looked_at order by created_at desc, seq desc
					limit 1 offset ${MAX_SCANNED_RECORDS - 1}`,
				values: lookedAt.values,
			});
			return { items, next: end === undefined ? null : toPlace(end) };
		},

		/**
		 * Records in the order in which they were stored, and the position from which to continue. Without a position none:
		 * only the present one. At a position at or after the last record nothing is missed.
		 */
		async listStored(filter: StoredFilter, after: number | undefined): Promise<StoredPage> {
			const { owner_id, page_name, verdict, limit } = filter;
			const rows = await sql.read<ScannedRow>(
				statement(
					LIST_STORED,
					after ?? null,
					owner_id,
					page_name ?? null,
					verdict ?? null,
					after === undefined ? 0 : limit + 1,
				),
			);
			const [{ newest, start, last_record }] = rows as [ScannedRow];
			const found = rows.flatMap(({ id, seq, metadata_json }) =>
				id === null ? [] : [{ id, seq, metadata_json }],
			);
			const items = found.slice(0, limit).map(toExecutionRecord);
			if (found.length > limit) return { items, next: found[limit - 1]?.seq as number, hasMore: true };
			const end = Math.min(newest, start + MAX_SCANNED_RECORDS);
			const next = Math.max(start, last_record ?? 0, end - REREAD_ROWS);
			return { items, next, hasMore: end < newest };
		},
	};
}

interface StoredFilter {
	readonly owner_id: string;
	readonly page_name: string | undefined;
	readonly verdict: "success" | "failed" | undefined;
	readonly limit: number;
}

interface StoredPage {
	readonly items: readonly ExecutionRecord[];
	readonly next: number;
	readonly hasMore: boolean;
}

/** At least one row; its record is null if none matches. */
interface ScannedRow {
	readonly newest: number;
	readonly start: number;
	/** Of any owner. */
	readonly last_record: number | null;
	readonly seq: number;
	readonly id: string | null;
	readonly metadata_json: string;
}

/** The unary plus keeps SQLite from an index: the rows of the scan are few. */
const LIST_STORED = `with newest (seq) as (select coalesce(max(seq), 0) from entries),
	start (newest, seq) as (
		select seq, iif(?1 is null or ?1 > seq, max(0, seq - ${REREAD_ROWS}), cast(?1 as integer)) from newest
	),
	scan (newest, start, last_record) as materialized (
		select newest, seq, (
			select max(entries.seq) from entries
			where entries.seq > start.seq and entries.seq <= start.seq + ${MAX_SCANNED_RECORDS}
				and +entry_type = 'execution_log'
		) from start
	)
	select scan.*, found.seq, id, metadata_json
	from scan left join entries as found on found.seq > start and found.seq <= start + ${MAX_SCANNED_RECORDS}
		and +entry_type = 'execution_log' and +owner_id = ?2 and (?3 is null or page_name = ?3)
		and (?4 is null or ${VERDICT} = ?4) and +?5 > 0
	order by found.seq limit max(1, cast(?5 as integer))`;

export type ExecutionReportStorage = ReturnType<typeof executionReportStorage>;

/** One index range per hour: reading everything at once and grouping takes four times as long. */
const selectHourCount = (index: string, term: string): string =>
	`select count(*) from (
		select 1 from entries indexed by ${index} where owner_id = ?1 and ${term}
			and created_at >= max(?2, hours.hour * ${HOUR}) and created_at <= min(?3, hours.hour * ${HOUR} + ${HOUR - 1})
		limit +?4
	) as counted`;

const toHour = ({ hour, count, failed }: { hour: number; count: number; failed: number }): HourOfRuns => {
	const failures = Math.min(failed, MAX_COUNTED_RECORDS);
	return { start: hour * HOUR, success: Math.min(count, MAX_COUNTED_RECORDS) - failures, failed: failures };
};

const TEXTS = [
	"entries.page_name",
	"coalesce(entries.metadata_json ->> '$.error', '')",
	"coalesce(entries.metadata_json ->> '$.target', '')",
];

const toPlace = ({ created_at, seq }: Pick<EntryRow, "seq" | "created_at">) => ({ created_at, seq });
