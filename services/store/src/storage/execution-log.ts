import type { ExecutionRecord, LoggingMode, RunsOf } from "@tripline/contract/execution-log";
import { uuidv7 } from "@tripline/contract/ids";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import {
	type DailyLimits,
	type DayOfWrites,
	getLoggingMode,
	isWebhookRun,
	MIN_SHARE,
	MIN_SHARE_COUNT,
	type StoredRecord,
} from "../domain/execution-log.ts";
import { buildUpsertKey } from "./entries.ts";
import { LOG, limitParts, listRunTerms } from "./listing.ts";
import { appendRecords } from "./postgres/execution-log.ts";

export interface OwnedRecord {
	readonly id: string;
	readonly owner_id: string;
	/** The record's time in milliseconds, because parsing it again from the record would be slow. */
	readonly time: number;
	readonly record: StoredRecord;
}

/** Never a tenant's name, because a namespace starts with a letter or a digit. */
export const STORE_OWNER = "_store";

export function executionLogStorage(sql: Sql) {
	return {
		/** Appends the records that the daily limits allow and counts them, in one unit of work. */
		async append(batch: {
			readonly records: readonly OwnedRecord[];
			readonly now: number;
			readonly limits: DailyLimits;
		}): Promise<{ recorded: number; mode: LoggingMode }> {
			const { now, limits } = batch;
			const records = limits.isShared ? removeRepeats(batch.records) : batch.records;
			const day = formatDay(now);
			const rows = toRows(records);
			const owner = records.at(-1)?.owner_id ?? "";
			if (sql.dialect === "postgres") {
				const [appended, written] = await sql.write([
					appendRecords({
						rows,
						counterKey: buildCounterKey(day),
						day,
						storeOwner: STORE_OWNER,
						now,
						limits,
					}),
					selectWritten(day, owner, limits),
				]);
				const recorded = Number(appended?.rows[0]?.recorded);
				return { recorded, mode: getLoggingMode(toDay(written?.rows[0]), limits) };
			}
			const writeBatch = async (insert: Statement) => {
				const outcomes = await sql.write([
					insert,
					countInserted(day, now, limits, records),
					selectWritten(day, owner, limits),
				]);
				const recorded = outcomes[0]?.changes ?? 0;
				return { recorded, mode: getLoggingMode(toDay(outcomes.at(-1)?.rows[0]), limits) };
			};
			const all = await writeBatch(insertAll(rows, records.length, day, now, limits));
			// Nothing was written: not all records fit, or all exist already.
			return all.recorded > 0 ? all : writeBatch(insertFitting(rows, day, now, limits));
		},

		/** The mode for the owner's next record, and how many records all owners wrote on the day. */
		async readToday(owner: string, now: number, limits: DailyLimits) {
			const [row] = await sql.read<Record<string, unknown>>(selectWritten(formatDay(now), owner, limits));
			const day = toDay(row);
			return { written: day.count, mode: getLoggingMode(day, limits) };
		},

		/** How many of the records are stored, whether written just now or before. */
		async countStored(records: readonly OwnedRecord[]): Promise<number> {
			const [row] = await sql.read<{ count: number }>(
				statement(
					`select count(*) as count from json_each(?1) as asked cross join entries on entries.id = asked.value ->> 0
					where owner_id = asked.value ->> 1 and entry_type = 'execution_log'`,
					JSON.stringify(records.map(({ id, owner_id }) => [id, owner_id])),
				),
			);
			return row?.count ?? 0;
		},

		/** One statement for any number of workflows: one index lookup each, or two if both kinds of runs count. */
		async listLatest(
			owner: string,
			workflows: readonly string[] | undefined,
			runsOf: RunsOf | undefined,
		): Promise<ExecutionRecord[]> {
			const runs = listRunTerms(runsOf).map(
				(term) => `select seq, created_at from entries
					where owner_id = ?1 and ${LOG} and page_name = workflows.name and ${term}`,
			);
			const parts = sql.dialect === "postgres" ? limitParts(runs, NEWEST, 1) : runs;
			const rows = await sql.read<{ id: string; metadata_json: string }>(
				statement(
					`with recursive ${workflows === undefined ? EVERY_WORKFLOW : NAMED_WORKFLOWS}
					select id, metadata_json from workflows join entries on seq = (
						select seq from (${parts.join(" union all ")} ${NEWEST} limit 1) as newest
					)`,
					...(workflows === undefined ? [owner] : [owner, JSON.stringify(workflows)]),
				),
			);
			return rows.map(toExecutionRecord);
		},
	};
}

export type ExecutionLogStorage = ReturnType<typeof executionLogStorage>;

export function toExecutionRecord(row: {
	readonly id: string;
	readonly metadata_json: string;
}): ExecutionRecord {
	return { id: row.id, ...(JSON.parse(row.metadata_json) as StoredRecord) };
}

const formatDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** The key of the day's counter; a namespace's counter appends a space and its name. */
const buildCounterKey = (page_name: string): string =>
	buildUpsertKey({ owner_id: STORE_OWNER, entry_type: "execution_log_usage", page_name });

const toDay = (row: Readonly<Record<string, unknown>> | undefined): DayOfWrites => ({
	count: Number(row?.count ?? 0),
	own: Number(row?.own ?? 0),
	namespaces: Number(row?.namespaces ?? 0),
});

const selectCount = (key: string): string => `coalesce(
	(select cast(metadata_json ->> '$.count' as integer) from entries where upsert_key = ${key}), 0)`;

/** The count of the day's counter. */
const COUNT = selectCount("?1");

/** The count of the namespace that the SQL expression `owner` names. */
const selectOwnerCount = (owner: string): string => selectCount(`?1 || ' ' || ${owner}`);

/** How many namespaces have written, counted only as far as it reduces the share. */
const selectNamespaceCount = (most: string): string => `(select count(*) from (
	select 1 from entries where upsert_key > ?1 || ' ' and upsert_key < ?1 || '!' limit ${most} / ${MIN_SHARE} + 1) as counted)`;

const selectWritten = (day: string, owner: string, { total: most, isShared }: DailyLimits): Statement =>
	isShared
		? statement(
				`select ${COUNT} as count, ${selectOwnerCount("?2")} as own, ${selectNamespaceCount("cast(?3 as integer)")} as namespaces`,
				buildCounterKey(day),
				owner,
				most,
			)
		: statement(`select ${COUNT} as count`, buildCounterKey(day));

const INSERT = `insert into entries
	(id, entry_type, owner_id, page_name, content, metadata_json, created_at, webhook, updated_at)
	select value ->> 0, 'execution_log', value ->> 1, value ->> 2, '', value ->> 5, cast(value ->> 3 as integer),
		cast(value ->> 6 as integer)`;

/** Removes repeats: a row that is not inserted would leave a gap in the row numbers used for counting. */
const removeRepeats = (records: readonly OwnedRecord[]): readonly OwnedRecord[] => {
	const ids = new Set(records.map(({ id }) => id));
	return ids.size === records.length ? records : records.filter(({ id }) => ids.delete(id));
};
const IS_NEW = "not exists (select 1 from entries where id = value ->> 0)";

/** The limit prevents flattening of the subquery, which would parse a row's text again for each of its values. */
const ROWS = "(select value from json_each(?2) limit -1)";

/** Values in the order of `INSERT`; the fifth is whether the run failed. */
const toRows = (records: readonly OwnedRecord[]): string =>
	JSON.stringify(
		records.map(({ id, owner_id, time, record }) => [
			id,
			owner_id,
			record.workflow,
			Math.floor(time / 1000),
			record.verdict === "failed" ? 1 : 0,
			JSON.stringify(record),
			isWebhookRun(record) ? 1 : 0,
		]),
	);

/** Inserts all or none: if even the last record stays below every limit, the others need no check of their own. */
const insertAll = (
	rows: string,
	length: number,
	day: string,
	now: number,
	{ successes, successesOverShare, isShared }: DailyLimits,
): Statement =>
	statement(
		`${INSERT}, ?5 from ${ROWS} where ${COUNT} + ?3 <= ?4${isShared ? ` and ${IS_NEW}` : ""} on conflict (id) do nothing`,
		buildCounterKey(day),
		rows,
		length - 1,
		isShared ? successesOverShare : successes,
		Math.floor(now / 1000),
	);

/** Whether the record's namespace has reached its share, which decides the count up to which it is written. */
const IS_OVER = `(?7 and coalesce(owners ->> owner, 0) >= max(${MIN_SHARE}, ?4 / max(${MIN_SHARE_COUNT}, namespaces)))`;
const IS_WRITTEN = `(count <= iif(failed, iif(${IS_OVER}, ?3, ?4), iif(${IS_OVER}, ?6, ?3)))`;

/** Checks each record against the counts left by its predecessors. */
const insertFitting = (
	rows: string,
	day: string,
	now: number,
	{ total: most, successes, successesOverShare, isShared }: DailyLimits,
): Statement =>
	statement(
		`with recursive batch as materialized (
			select row_number() over (order by key) as position, value,
				value ->> 4 as failed, '$."' || (value ->> 1) || '"' as owner
			from json_each(?2) where ${IS_NEW}
		), steps (position, is_written, count, owners, namespaces) as (
			select 0, 0, ${COUNT}, (
				select json_group_object(name, ${selectOwnerCount("name")}) from (select distinct value ->> 1 as name from batch)
			), ${selectNamespaceCount("cast(?4 as integer)")}
			union all
			select batch.position, ${IS_WRITTEN}, count + ${IS_WRITTEN},
				json_set(owners, owner, coalesce(owners ->> owner, 0) + ${IS_WRITTEN}),
				namespaces + (${IS_WRITTEN} and coalesce(owners ->> owner, 0) = 0)
			from steps join batch on batch.position = steps.position + 1
		)
		${INSERT}, ?5
		from steps join batch using (position)
		where is_written
		order by position
		on conflict (id) do nothing`,
		buildCounterKey(day),
		rows,
		successes,
		most,
		Math.floor(now / 1000),
		successesOverShare,
		isShared ? 1 : 0,
	);

/** `changes()` is the number of rows inserted by the previous statement of the unit of work. */
const countInserted = (
	day: string,
	now: number,
	{ isShared }: DailyLimits,
	records: readonly OwnedRecord[],
) => (isShared ? countByOwner(day, now, records) : countAll(day, now));

const INSERT_COUNTER = `insert into entries
	(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)`;
const ADD_COUNT = `on conflict (upsert_key) where upsert_key is not null do update set
	metadata_json = json_object('count',
		cast(entries.metadata_json ->> '$.count' as integer) + cast(excluded.metadata_json ->> '$.count' as integer)),
	updated_at = excluded.updated_at`;

const countAll = (day: string, now: number): Statement =>
	statement(
		`${INSERT_COUNTER}
		select ?2, 'execution_log_usage', '${STORE_OWNER}', ?3, '', json_object('count', changes()), ?4, ?4, ?1
		where changes() > 0
		${ADD_COUNT}`,
		buildCounterKey(day),
		uuidv7(now),
		day,
		Math.floor(now / 1000),
	);

/** Also counts per namespace: the rows just inserted have the highest row numbers, without gaps. */
function countByOwner(day: string, now: number, records: readonly OwnedRecord[]): Statement {
	const owners = new Set(records.map(({ owner_id }) => owner_id));
	return statement(
		`with inserted (name, count) as (
			select '', changes()
			union all
			select ' ' || owner_id, count(*) from json_each(?2) as given join entries on entries.id = given.value
			where seq > last_insert_rowid() - changes()
			group by owner_id
		)
		${INSERT_COUNTER}
		select ids.value, 'execution_log_usage', '${STORE_OWNER}', ?4 || name, '', json_object('count', count), ?5, ?5, ?1 || name
		from inserted join json_each(?3) as ids on ids.key = name
		where changes() > 0
		${ADD_COUNT}`,
		buildCounterKey(day),
		JSON.stringify(records.map(({ id }) => id)),
		JSON.stringify(
			Object.fromEntries(["", ...[...owners].map((owner) => ` ${owner}`)].map((name) => [name, uuidv7(now)])),
		),
		day,
		Math.floor(now / 1000),
	);
}

const NEWEST = "order by created_at desc, seq desc";

const NAMED_WORKFLOWS = "workflows (name) as (select distinct value from json_each(?2))";

/** Skips from name to name in the index instead of reading every record. */
const EVERY_WORKFLOW = `workflows (name) as (
	select min(page_name) from entries where owner_id = ?1 and entry_type = 'execution_log'
	union all
	select (
		select min(page_name) from entries
		where owner_id = ?1 and entry_type = 'execution_log' and page_name > workflows.name
	) from workflows where workflows.name is not null
)`;
