import type { DueRuns } from "@tripline/contract/schedules";
import { type Sql, statement } from "@tripline/platform/sql";
import { insertScheduledRun, type ScheduledRun } from "./accepted-runs.ts";
import { buildUpsertKey } from "./entries.ts";

export interface Scheduled {
	readonly owner_id: string;
	readonly page_name: string;
	readonly schedule: string;
	readonly next_run_at: number;
}

export function scheduleStorage(sql: Sql) {
	return {
		/** The workflow's schedule and next run time; null if it has none or belongs to another owner. */
		async get(owner: string, id: string): Promise<Scheduled | null> {
			const rows = await sql.read<Scheduled>(
				statement(
					`select owner_id, page_name, schedule, next_run_at from entries
					where id = ?1 and owner_id = ?2 and schedule is not null and next_run_at is not null`,
					id,
					owner,
				),
			);
			return rows[0] ?? null;
		},

		/**
		 * Due entries at `now`, owners in turn: the longest overdue of each, then the next of each. Reads everything that is
		 * due, because the order across owners does not follow from the first rows of an index.
		 */
		listDue: (now: number, limit: number) =>
			sql.read<DueRuns["due"][number]>(
				statement(
					`select id, entry_type, owner_id, page_name from (
						select id, entry_type, owner_id, page_name, next_run_at, seq,
							row_number() over (partition by owner_id order by next_run_at, seq) as turn
						from entries indexed by entries_due where next_run_at <= ?1
					) as due order by turn, next_run_at, seq limit +?2`,
					now,
					limit,
				),
			),

		/** Soonest first. */
		listUpcoming: (owner: string, limit: number) =>
			sql.read<Pick<Scheduled, "page_name" | "next_run_at">>(
				statement(
					`select page_name, next_run_at from entries indexed by entries_upcoming
					where owner_id = ?1 and schedule is not null and next_run_at is not null
					order by next_run_at limit +?2`,
					owner,
					limit,
				),
			),

		/** A page of the schedules whose next run time is after `from`, soonest first. */
		listAfter: (from: { readonly next_run_at: number; readonly seq: number }, limit: number) =>
			sql.read<{ seq: number; schedule: string; next_run_at: number }>(
				statement(
					`select seq, schedule, next_run_at from entries
					where next_run_at is not null and (next_run_at, seq) > (?1, ?2) and schedule is not null
					order by next_run_at, seq limit +?3`,
					from.next_run_at,
					from.seq,
					limit,
				),
			),

		/** Moves next run times earlier for entries whose schedule is unchanged. */
		bringForward: (times: readonly { readonly seq: number; schedule: string; next_run_at: number }[]) =>
			sql.write(
				times.map(({ seq, schedule, next_run_at }) =>
					statement(
						"update entries set next_run_at = ?3 where seq = ?1 and schedule = ?2 and next_run_at > ?3",
						seq,
						schedule,
						next_run_at,
					),
				),
			),

		/**
		 * Stores the occurrence and advances the next run time in one unit of work, if neither schedule nor time has changed
		 * since the read. Returns whether this call got the claim: of parallel calls exactly one does.
		 */
		async claim(claim: {
			readonly id: string;
			readonly read: Scheduled;
			/** Id and page of the entry that records the occurrence, and its time. */
			readonly occurrence: { readonly id: string; readonly page_name: string; readonly time: string };
			/** A run to accept with the claim. */
			readonly run: Omit<ScheduledRun, "owner_id" | "scheduledAt" | "now"> | undefined;
			readonly nextRunAt: number | null;
			readonly now: number;
		}): Promise<{ readonly claimed: boolean; readonly accepted?: boolean }> {
			const { id, read, occurrence, run, nextRunAt, now } = claim;
			const { owner_id } = read;
			const kept = { owner_id, entry_type: "occurrence", page_name: occurrence.page_name };
			const accepting =
				run === undefined
					? []
					: [insertScheduledRun({ ...run, owner_id, scheduledAt: occurrence.time, now })];
			const [inserted, accepted] = await sql.write([
				statement(
					`insert into entries
						(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
					select ?4, 'occurrence', owner_id, ?5, '', '{}', ?6, ?6, ?7 from entries where ${UNCHANGED}
					on conflict (upsert_key) where upsert_key is not null do nothing returning id`,
					id,
					read.schedule,
					read.next_run_at,
					occurrence.id,
					occurrence.page_name,
					now,
					buildUpsertKey(kept),
				),
				...accepting,
				statement(
					`update entries set next_run_at = ?4 where ${UNCHANGED}`,
					id,
					read.schedule,
					read.next_run_at,
					nextRunAt,
				),
			]);
			const claimed = inserted?.rows.length === 1;
			return run === undefined ? { claimed } : { claimed, accepted: accepted?.rows.length === 1 };
		},
	};
}

export type ScheduleStorage = ReturnType<typeof scheduleStorage>;

const UNCHANGED = "id = ?1 and schedule = ?2 and next_run_at = ?3";
