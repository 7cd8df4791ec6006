import {
	ACCEPTED_RUN,
	type CancelledAcceptedRuns,
	MAX_DESCENDED_RUNS,
	MAX_PARKED_RUNS,
	MAX_WAITING_RUNS,
} from "@tripline/contract/accepted-runs";
import { uuidTimePrefix } from "@tripline/contract/ids";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
import { buildUpsertKey } from "./entries.ts";
import { deleteEndedLeases, insertLease, type NewLease } from "./run-leases.ts";
import { buildKeyRange, describeParked, hasAnswer, withdrawWaits } from "./waits.ts";

export interface NewRuns {
	readonly owner_id: string;
	readonly due_at: number;
	/** Metadata shared by all runs. */
	readonly metadata_json: string;
	readonly runs: readonly {
		readonly entryId: string;
		readonly id: string;
		/** Members of the metadata that are not in the common ones. */
		readonly metadata_json: string;
		readonly waits_for?: string | undefined;
	}[];
	readonly root?: string | undefined;
	readonly now: number;
}

/** Runs that continue after the response. Until it ends, a run has a due time. */
export function acceptedRunStorage(sql: Sql) {
	return {
		/** The ids of the new runs, or the limit that was reached. Nothing is written unless all fit within the limits. */
		async accept(batch: NewRuns): Promise<readonly string[] | "waiting" | "descended"> {
			const [inserted] = await sql.write([insertRuns(batch), ...countDescendants(batch)]);
			const accepted = (inserted?.rows ?? []).map((row) => row.page_name as string);
			return accepted.length > 0 ? accepted : explainRefusal(batch);
		},

		/** The claimed run's metadata; null if it was started or has ended since it was read. */
		async claim(claim: Claim): Promise<string | null> {
			const [outcome] = await sql.write([claimRun(claim)]);
			return (outcome?.rows[0]?.metadata_json as string | undefined) ?? null;
		},

		/** The same for a run that needs a lease. If it gets none, it waits behind the runs accepted before it. */
		async claimWithLease(claim: Claim, lease: NewLease): Promise<string | null> {
			const key = buildKey(claim.owner_id, claim.id);
			const outcomes = await sql.write([
				deleteEndedLeases(lease),
				insertLease(
					lease,
					`exists (select 1 from entries where ${unstarted("?11", "?12")})
					and not exists (${waitingBefore("?13", "?14", "?11")})`,
					key,
					claim.attempts,
					lease.owner_id,
					lease.workflow,
				),
				// `changes()` is the number of leases that the previous statement wrote.
				claimRun(claim, "changes() > 0"),
				statement(
					`update entries set waits_for = ?3, next_run_at = iif(exists (${waitingBefore("?4", "?3", "?1")}),
						max(next_run_at, ?5 + ${LINE_RETRY_SECONDS}), next_run_at)
					where ${unstarted("?1", "?2")}`,
					key,
					claim.attempts,
					lease.workflow,
					lease.owner_id,
					claim.now,
				),
			]);
			return (outcomes[2]?.rows[0]?.metadata_json as string | undefined) ?? null;
		},

		/**
		 * The run waits until it is due, or not at all if it has an answer that it does not know. Returns when it is due; null
		 * if it was claimed again or has ended since it was claimed.
		 */
		async park(run: Claim & { readonly workflow: string }): Promise<number | "refused" | null> {
			const [outcome] = await sql.write([
				statement(
					`update entries set
						metadata_json = json_set(metadata_json, '$.due_at', ${PARKED_UNTIL}, '$.is_parked', json('true'),
							'$.parked_on', ${describeParked("?5", "?6")}),
						next_run_at = ${PARKED_UNTIL}, updated_at = ?4, parked_for = ?7
					where ${unstarted("?1", "?2")} and ${PARKED} < ${MAX_PARKED_RUNS}
					returning next_run_at`,
					buildKey(run.owner_id, run.id),
					run.attempts,
					run.due_at,
					run.now,
					...buildKeyRange(run.owner_id, run.id),
					run.workflow,
					run.owner_id,
				),
			]);
			const due = outcome?.rows[0]?.next_run_at as number | undefined;
			return due ?? ((await isUnstarted(run)) ? "refused" : null);
		},

		/** False if the run had already ended: the first call decides. */
		async end(run: {
			readonly owner_id: string;
			readonly id: string;
			readonly metadata_json: string;
			readonly now: number;
		}): Promise<boolean> {
			const [outcome] = await sql.write([
				statement(
					`update entries set metadata_json = ?2, next_run_at = null, waits_for = null, parked_for = null, updated_at = ?3
					where upsert_key = ?1 and ${UNFINISHED}`,
					buildKey(run.owner_id, run.id),
					run.metadata_json,
					run.now,
				),
				...withdrawWaits(run.owner_id, run.id, run.now),
			]);
			return (outcome?.changes ?? 0) > 0;
		},

		/**
		 * Ends a bounded number of runs that wait for a workflow, or of a workflow's runs that wait, oldest first; `up_to` is
		 * the last `seq` considered.
		 */
		async cancel(cancel: {
			readonly owner_id: string;
			readonly waits_for: string;
			readonly parked: boolean;
			readonly metadata_json: string;
			readonly up_to: number | undefined;
			readonly now: number;
		}): Promise<{ cancelled: readonly CancelledRun[]; more: boolean; up_to: number }> {
			const upTo = cancel.up_to ?? (await readLatestSeq());
			const which = [cancel.owner_id, cancel.waits_for, upTo] as const;
			const oldest = cancel.parked ? OLDEST_PARKED : OLDEST_WAITING;
			const [found] = await sql.write([
				statement(
					`select page_name as id, metadata_json ->> '$.trigger' as trigger,
						${extractText("$.input.page_name")} as page_name, ${extractText("$.input.path")} as path
					from entries where seq in (${oldest}) order by seq`,
					...which,
				),
				statement(
					`update entries set metadata_json = ?4, next_run_at = null, waits_for = null, parked_for = null, updated_at = ?5
					where seq in (${oldest})`,
					...which,
					cancel.metadata_json,
					cancel.now,
				),
			]);
			const cancelled = (found?.rows ?? []) as unknown as readonly CancelledRun[];
			if (cancel.parked && cancelled.length > 0)
				await sql.write(cancelled.flatMap(({ id }) => withdrawWaits(cancel.owner_id, id, cancel.now)));
			return { cancelled, more: cancelled.length === RUNS_PER_CANCEL, up_to: upTo };
		},

		/** Deletes a bounded number of descendant counters whose root is older than `time` (Unix milliseconds). */
		async deleteRootCounters(time: number): Promise<number> {
			const end = DESCENDED + uuidTimePrefix(time);
			const [outcome] = await sql.write([
				statement(
					`delete from counters where name in (
						select name from counters where name >= ?1 and name < ?2 limit ${ROWS_PER_DELETE})`,
					DESCENDED,
					end,
				),
			]);
			return outcome?.changes ?? 0;
		},
	};

	async function isUnstarted(run: Claim): Promise<boolean> {
		const found = await sql.read(
			statement(
				`select 1 from entries where ${unstarted("?1", "?2")}`,
				buildKey(run.owner_id, run.id),
				run.attempts,
			),
		);
		return found.length > 0;
	}

	async function readLatestSeq(): Promise<number> {
		const [row] = await sql.read<{ seq: number | null }>(statement("select max(seq) as seq from entries"));
		return row?.seq ?? 0;
	}

	/** Explains why nothing was written: all runs exist already, or a limit would be exceeded. */
	async function explainRefusal({
		owner_id,
		runs,
		root,
	}: NewRuns): Promise<readonly [] | "waiting" | "descended"> {
		const keys = JSON.stringify(runs.map(({ id }) => buildKey(owner_id, id)));
		const [found] = await sql.read<{ known: number; fits: number }>(
			statement(
				`select
					(select count(*) from json_each(?1) as asked cross join entries on upsert_key = asked.value) as known,
					${fitsRoot("?2", "?3")} as fits`,
				keys,
				buildRootName(owner_id, root),
				runs.length,
			),
		);
		if (found?.known === runs.length) return [];
		return found?.fits === 0 ? "descended" : "waiting";
	}
}

interface Claim {
	readonly owner_id: string;
	readonly id: string;
	readonly attempts: number;
	readonly due_at: number;
	readonly holder?: string | undefined;
	readonly now: number;
}

/**
 * A run that is not the first in its workflow's line is started by the end of another run. This is how long it takes to
 * be tried again if that other run's process died.
 */
const LINE_RETRY_SECONDS = 300;

const PARKED_UNTIL = `iif(${hasAnswer("?5", "?6")}, ?4, ?3)`;

const claimRun = (claim: Claim, condition = "true"): Statement =>
	statement(
		`update entries set
			metadata_json = ${claim.holder === undefined ? CLAIMED : `json_set(${CLAIMED}, '$.holder', ?5)`},
			next_run_at = ?3, waits_for = null, parked_for = null, updated_at = ?4
		where ${unstarted("?1", "?2")} and ${condition}
		returning metadata_json`,
		buildKey(claim.owner_id, claim.id),
		claim.attempts,
		claim.due_at,
		claim.now,
		...(claim.holder === undefined ? [] : [claim.holder]),
	);

const CLAIMED =
	"json_set(json_remove(metadata_json, '$.is_parked', '$.parked_on'), '$.attempts', ?2 + 1, '$.due_at', ?3)";

const unstarted = (key: string, attempts: string): string =>
	`upsert_key = ${key} and ${UNFINISHED} and cast(metadata_json ->> '$.attempts' as integer) = ${attempts}`;

const waitingBefore = (owner: string, workflow: string, key: string): string =>
	`select 1 from entries as earlier indexed by entries_waiting where earlier.owner_id = ${owner}
		and earlier.waits_for = ${workflow} and earlier.seq < (select seq from entries where upsert_key = ${key})`;

type CancelledRun = CancelledAcceptedRuns["cancelled"][number];

/** Inputs may be large, and all are deleted in one unit of work. */
const RUNS_PER_CANCEL = 100;

const OLDEST_WAITING = `select seq from entries indexed by entries_waiting
	where owner_id = ?1 and waits_for = ?2 and seq <= ?3 order by seq limit ${RUNS_PER_CANCEL}`;

const OLDEST_PARKED = `select seq from entries indexed by entries_parked
	where owner_id = ?1 and parked_for = ?2 and seq <= ?3 order by seq limit ${RUNS_PER_CANCEL}`;

const extractText = (path: string): string =>
	`iif(json_type(metadata_json, '${path}') = 'text', metadata_json ->> '${path}', null)`;

const insertRuns = (batch: NewRuns): Statement => {
	const { owner_id, due_at, metadata_json, runs, root, now } = batch;
	// The texts are joined: `json_patch` takes time that is quadratic in the number of members.
	const isCommonEmpty = metadata_json === "{}";
	const rows = runs.map(({ entryId, id, metadata_json: own, waits_for = null }) => [
		entryId,
		id,
		buildKey(owner_id, id),
		own === "{}" ? "}" : `${isCommonEmpty ? "" : ","}${own.slice(1)}`,
		waits_for,
	]);
	const values: SqlValue[] = [
		owner_id,
		metadata_json.slice(0, -1),
		JSON.stringify(rows),
		due_at,
		now,
		runs.filter(({ waits_for }) => waits_for !== undefined).length,
		buildRootName(owner_id, root),
		runs.length,
	];
	return statement(
		`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at,
			upsert_key, next_run_at, waits_for)
		select value ->> 0, '${ACCEPTED_RUN}', ?1, value ->> 1, '',
			json_set(?2 || (value ->> 3), '$.attempts', iif(value ->> 4 is null, 1, 0), '$.due_at', ?4),
			?5, ?5, value ->> 2, ?4, value ->> 4
		from json_each(?3) where (?6 = 0 or ${WAITING} + ?6 <= ${MAX_WAITING_RUNS}) and ${fitsRoot("?7", "?8")}
		on conflict (upsert_key) where upsert_key is not null do nothing returning page_name`,
		...values,
	);
};

/** A run that is accepted together with the claim of its occurrence. */
export interface ScheduledRun {
	readonly owner_id: string;
	readonly entryId: string;
	readonly id: string;
	readonly due_at: number;
	readonly metadata_json: string;
	readonly waits_for?: string | undefined;
	readonly scheduledAt: string;
	readonly now: number;
}

/** Writes the run if the previous statement of the unit of work wrote a row, and not too many runs wait already. */
export const insertScheduledRun = (run: ScheduledRun): Statement =>
	statement(
		`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at,
			upsert_key, next_run_at, waits_for)
		select ?2, '${ACCEPTED_RUN}', ?1, ?3, '',
			json_set(?4, '$.attempts', iif(?8 is null, 1, 0), '$.due_at', ?5, '$.input', json(json_object('scheduled_at', ?9))),
			?6, ?6, ?7, ?5, ?8
		where changes() > 0 and (?8 is null or ${WAITING} < ${MAX_WAITING_RUNS})
		returning id`,
		run.owner_id,
		run.entryId,
		run.id,
		run.metadata_json,
		run.due_at,
		run.now,
		buildKey(run.owner_id, run.id),
		run.waits_for ?? null,
		run.scheduledAt,
	);

/** `changes()` is the number of rows inserted by the previous statement of the unit of work. */
const countDescendants = ({ owner_id, root }: NewRuns): Statement[] =>
	root === undefined
		? []
		: [
				statement(
					`insert into counters (name, value) select ?1, changes() where changes() > 0
					on conflict (name) do update set value = counters.value + excluded.value`,
					buildRootName(owner_id, root),
				),
			];

/** Counted up to the limit, using an index of waiting runs only. */
const WAITING = `(select count(*) from (
	select 1 from entries indexed by entries_waiting where owner_id = ?1 and waits_for is not null
	limit ${MAX_WAITING_RUNS}) as waiting)`;

const PARKED = `(select count(*) from (
	select 1 from entries as other indexed by entries_parked where other.owner_id = ?8 and other.parked_for is not null
	limit ${MAX_PARKED_RUNS}) as parked)`;

const fitsRoot = (name: string, runs: string): string =>
	`(${name} is null or
		coalesce((select counters.value from counters where name = ${name}), 0) + ${runs} <= ${MAX_DESCENDED_RUNS})`;

/** Prefix of the root counters, which sort by time because a UUIDv7 starts with its timestamp. */
const DESCENDED = "descended\n";
const ROWS_PER_DELETE = 500;

const buildRootName = (owner_id: string, root: string | undefined): string | null =>
	root === undefined ? null : `${DESCENDED}${root.toLowerCase()}\n${owner_id}`;

export type AcceptedRunStorage = ReturnType<typeof acceptedRunStorage>;

const UNFINISHED = "next_run_at is not null";

const buildKey = (owner_id: string, id: string): string =>
	buildUpsertKey({ owner_id, entry_type: ACCEPTED_RUN, page_name: id });
