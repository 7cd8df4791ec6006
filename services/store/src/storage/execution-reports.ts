import type { ExecutionRecord } from "@tripline/contract/execution-log";
import { type Sql, statement } from "@tripline/platform/sql";
import { type EntryRow, type Page, upsertKey } from "./entries.ts";
import { STORE_OWNER, toExecutionRecord } from "./execution-log.ts";
import { type EntryFilter, LOG, listing, VERDICT } from "./listing.ts";

/** Records that one summary counts: entries of an index, which are read without the records. */
const MOST_COUNTED = 100_000;
/** Records that one page of a search by text looks at. */
const MOST_LOOKED_AT = 2_000;

const HOUR = 3600;

interface HourOfRuns {
	/** Unix seconds. */
	readonly start: number;
	readonly success: number;
	readonly failed: number;
}

type LogFilter = Pick<EntryFilter, "page_name" | "verdict" | "since" | "until" | "after" | "limit"> & {
	readonly owner_id: string;
};

/** What is asked of many execution records at once. */
export function executionReportStorage(sql: Sql) {
	return {
		/** Oldest first. Of too many records the newest are counted. */
		async hours(
			owner: string,
			since: number,
			until: number,
		): Promise<{ readonly hours: readonly HourOfRuns[]; readonly truncated: boolean }> {
			const rows = await sql.read<{ hour: number; failed: 0 | 1; count: number }>(
				statement(
					`${countByHour(0, "entries_owner_type", LOG)}
					union all ${countByHour(1, "entries_failures", `${LOG} and ${VERDICT} = 'failed'`)}`,
					owner,
					since,
					until,
					MOST_COUNTED,
				),
			);
			const all = rows.filter(({ failed }) => failed === 0).sort((one, other) => one.hour - other.hour);
			const failures = new Map(rows.filter(({ failed }) => failed === 1).map((row) => [row.hour, row.count]));
			return {
				hours: all.map(({ hour, count }) => {
					const failed = failures.get(hour) ?? 0;
					// Of an hour that was not counted to its end more failures than records may be known.
					return { start: hour * HOUR, success: Math.max(0, count - failed), failed };
				}),
				truncated: all.reduce((sum, { count }) => sum + count, 0) >= MOST_COUNTED,
			};
		},

		/** How many records were written on the UTC day, of all owners. */
		async written(day: string): Promise<number> {
			const counter = { owner_id: STORE_OWNER, entry_type: "execution_log_usage", page_name: day };
			const [row] = await sql.read<{ count: number }>(
				statement(
					"select json_extract(metadata_json, '$.count') as count from entries where upsert_key = ?1",
					upsertKey(counter),
				),
			);
			return row?.count ?? 0;
		},

		/** A page of those that have the text. It may have few or none and still not be the last. */
		async withText(filter: LogFilter, text: string): Promise<Page<ExecutionRecord>> {
			const { limit } = filter;
			// A listing reads one more than its limit.
			const lookedAt = listing({ ...filter, entry_type: "execution_log", limit: MOST_LOOKED_AT - 1 });
			const bound = lookedAt.values.length;
			const rows = await sql.read<Pick<EntryRow, "id" | "seq" | "created_at" | "metadata_json">>({
				text: `select entries.id, entries.seq, entries.created_at, entries.metadata_json
					from (${lookedAt.text}) as looked_at cross join entries on entries.seq = looked_at.seq
					where ${TEXTS.map((each) => `instr(lower(${each}), lower(?${bound + 1})) > 0`).join(" or ")}
					order by looked_at.created_at desc, looked_at.seq desc limit +?${bound + 2}`,
				values: [...lookedAt.values, text, limit + 1],
			});
			const page = rows.slice(0, limit);
			const items = page.map(toExecutionRecord);
			const last = page.at(-1);
			if (rows.length > limit && last !== undefined) return { items, next: placeOf(last) };
			const [end] = await sql.read<Pick<EntryRow, "seq" | "created_at">>({
				text: `select seq, created_at from (${lookedAt.text}) order by created_at desc, seq desc
					limit 1 offset ${MOST_LOOKED_AT - 1}`,
				values: lookedAt.values,
			});
			return { items, next: end === undefined ? null : placeOf(end) };
		},
	};
}

export type ExecutionReportStorage = ReturnType<typeof executionReportStorage>;

const countByHour = (failed: 0 | 1, index: string, term: string): string =>
	`select created_at / ${HOUR} as hour, ${failed} as failed, count(*) as count from (
		select created_at from entries indexed by ${index}
		where owner_id = ?1 and ${term} and created_at >= ?2 and created_at <= ?3
		order by created_at desc limit +?4
	) group by hour`;

const TEXTS = [
	"entries.page_name",
	"coalesce(entries.metadata_json ->> '$.error', '')",
	"coalesce(entries.metadata_json ->> '$.target', '')",
];

const placeOf = ({ created_at, seq }: Pick<EntryRow, "seq" | "created_at">) => ({ created_at, seq });
