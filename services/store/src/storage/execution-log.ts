import type { ExecutionRecord, RunsOf } from "@tripline/contract/execution-log";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import { failuresOnlyAbove, isOfWebhook, type StoredRecord } from "../domain/execution-log.ts";
import { upsertKey } from "./entries.ts";
import { LOG, runTerms } from "./listing.ts";

export interface OwnedRecord {
	readonly id: string;
	readonly owner_id: string;
	/** The record's, in milliseconds: reading it again from the record's text would be dear. */
	readonly time: number;
	readonly record: StoredRecord;
}

/** No tenant can have this name: a namespace starts with a letter or a digit. */
export const STORE_OWNER = "_store";

export function executionLogStorage(sql: Sql) {
	return {
		/** Appends what the day's limit lets through and counts it, in one unit of work. */
		async append(batch: {
			readonly records: readonly OwnedRecord[];
			readonly now: number;
			readonly counterId: string;
			readonly dailyLimit: number;
		}): Promise<{ recorded: number; count: number }> {
			const day = new Date(batch.now).toISOString().slice(0, 10);
			const counter = { owner_id: STORE_OWNER, entry_type: "execution_log_usage", page_name: day };
			const key = upsertKey(counter);
			const rows = rowsOf(batch.records);
			const written = async (insert: Statement) => {
				const [inserted, , counted] = await sql.write([
					insert,
					countInserted(key, batch.counterId, day, batch.now),
					statement(`select ${COUNT} as count`, key),
				]);
				return { recorded: inserted?.changes ?? 0, count: Number(counted?.rows[0]?.count ?? 0) };
			};
			const threshold = failuresOnlyAbove(batch.dailyLimit);
			const all = await written(insertAll(rows, batch.records.length, key, batch.now, threshold));
			// Nothing written: there was no room for all, or all are there already.
			return all.recorded > 0
				? all
				: written(insertFitting(rows, key, batch.now, threshold, batch.dailyLimit));
		},

		/** How many of the records are kept, whether just written or before. */
		async keptCount(records: readonly OwnedRecord[]): Promise<number> {
			const [row] = await sql.read<{ count: number }>(
				statement(
					`select count(*) as count from json_each(?1) as asked cross join entries on entries.id = asked.value ->> 0
					where owner_id = asked.value ->> 1 and entry_type = 'execution_log'`,
					JSON.stringify(records.map(({ id, owner_id }) => [id, owner_id])),
				),
			);
			return row?.count ?? 0;
		},

		/** One statement however many workflows: each is one step into the index, or two where runs of both count. */
		async latest(
			owner: string,
			workflows: readonly string[] | undefined,
			runsOf: RunsOf | undefined,
		): Promise<ExecutionRecord[]> {
			const runs = runTerms(runsOf).map(
				(term) => `select seq, created_at from entries
					where owner_id = ?1 and ${LOG} and page_name = workflows.name and ${term}`,
			);
			const rows = await sql.read<{ id: string; metadata_json: string }>(
				statement(
					`with recursive ${workflows === undefined ? EVERY_WORKFLOW : NAMED_WORKFLOWS}
					select id, metadata_json from workflows join entries on seq = (
						select seq from (${runs.join(" union all ")} order by created_at desc, seq desc limit 1)
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

const COUNT = `coalesce(
	(select json_extract(metadata_json, '$.count') from entries where upsert_key = ?1), 0)`;

const INSERT = `insert into entries
	(id, entry_type, owner_id, page_name, content, metadata_json, created_at, webhook, updated_at)
	select value ->> 0, 'execution_log', value ->> 1, value ->> 2, '', value ->> 5, value ->> 3, value ->> 6`;

/** With a limit, which keeps the query whole: each row's text is made once, and not for each of its values anew. */
const ROWS = "(select value from json_each(?2) limit -1)";

/** In the order of `INSERT`; the fifth says whether the run failed. */
const rowsOf = (records: readonly OwnedRecord[]): string =>
	JSON.stringify(
		records.map(({ id, owner_id, time, record }) => [
			id,
			owner_id,
			record.workflow,
			Math.floor(time / 1000),
			record.verdict === "failed" ? 1 : 0,
			JSON.stringify(record),
			isOfWebhook(record) ? 1 : 0,
		]),
	);

/** All or none: while the last of them still meets a count that lets everything through, nothing has to be ranked. */
const insertAll = (rows: string, length: number, key: string, now: number, threshold: number): Statement =>
	statement(
		`${INSERT}, ?5 from ${ROWS} where ${COUNT} + ?3 <= ?4 on conflict (id) do nothing`,
		key,
		rows,
		length - 1,
		threshold,
		Math.floor(now / 1000),
	);

/**
 * Each record meets the count its predecessors leave. Up to the failures-only threshold all are written, so the first
 * `free` of the batch are; after them a failure is written while the failures before it fit under the limit.
 */
const insertFitting = (
	rows: string,
	key: string,
	now: number,
	threshold: number,
	dailyLimit: number,
): Statement =>
	statement(
		`with batch as (
			select key as position, value ->> 4 as failed, value, count, max(0, ?3 + 1 - count) as free
			from json_each(?2), (select ${COUNT} as count)
		), ranked as (
			select *, sum(failed and position >= free) over (order by position) as failures from batch
		)
		${INSERT}, ?5
		from ranked
		where position < free or (failed and count + free + failures - 1 <= ?4)
		order by position
		on conflict (id) do nothing`,
		key,
		rows,
		threshold,
		dailyLimit,
		Math.floor(now / 1000),
	);

/** `changes()` is what the statement before it in the unit of work inserted. */
function countInserted(key: string, id: string, day: string, now: number): Statement {
	return statement(
		`insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
		select ?2, 'execution_log_usage', '${STORE_OWNER}', ?3, '', json_object('count', changes()), ?4, ?4, ?1
		where changes() > 0
		on conflict (upsert_key) where upsert_key is not null do update set
			metadata_json = json_object('count',
				json_extract(metadata_json, '$.count') + json_extract(excluded.metadata_json, '$.count')),
			updated_at = excluded.updated_at`,
		key,
		id,
		day,
		Math.floor(now / 1000),
	);
}

const NAMED_WORKFLOWS = "workflows (name) as (select distinct value from json_each(?2))";

/** Steps from one name to the next through the index instead of reading every record. */
const EVERY_WORKFLOW = `workflows (name) as (
	select min(page_name) from entries where owner_id = ?1 and entry_type = 'execution_log'
	union all
	select (
		select min(page_name) from entries
		where owner_id = ?1 and entry_type = 'execution_log' and page_name > workflows.name
	) from workflows where workflows.name is not null
)`;
