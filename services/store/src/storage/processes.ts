import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import { type HeardProcess, PROCESS_LIFETIME_SECONDS } from "@tripline/contract/processes";
import { type Sql, statement } from "@tripline/platform/sql";
import { freeLeases } from "./run-leases.ts";

interface Beat {
	readonly holder: string;
	/** Unix seconds, as is `now`. */
	readonly dueAt: number;
	readonly now: number;
}

/**
 * The processes that serve one deployment, each with the time at which it last said that it is alive, by the database's
 * own clock: those of the machines may differ.
 */
export function processStorage(sql: Sql) {
	return {
		/**
		 * The process is alive. Runs in progress that it has had for long are not due as long as it is. Those that wait for
		 * room or for another run are: any process that can may start them.
		 */
		async beat({ holder, dueAt, now }: Beat): Promise<HeardProcess> {
			const [, , found] = await sql.write([
				statement(
					`insert into counters (name, value) values (?1, unixepoch())
					on conflict (name) do update set value = excluded.value`,
					PREFIX + holder,
				),
				statement(
					`update entries set next_run_at = ?2, metadata_json = json_set(metadata_json, '$.due_at', ?2)
					where ${HAS_PROCESS} and waits_for is null and next_run_at < ?3 + ${SOON_SECONDS} and metadata_json ->> '$.holder' = ?1`,
					holder,
					dueAt,
					now,
				),
				statement(
					`select name, value, iif(${HAS_LAPSED}, 1, 0) as has_lapsed, unixepoch('subsec') * 1000 as time
					from counters where name > ?1 and name < ?2`,
					PREFIX,
					AFTER_PREFIX,
				),
			]);
			const rows = (found?.rows ?? []) as unknown as readonly Row[];
			const others = rows.filter(({ name }) => name !== PREFIX + holder);
			const list = (isWanted: (row: Row) => boolean) =>
				others.filter(isWanted).map(({ name }) => name.slice(PREFIX.length));
			return {
				time: rows[0]?.time ?? 0,
				alive: list(({ has_lapsed }) => has_lapsed === 0),
				lapsed: list(({ has_lapsed, value }) => has_lapsed === 1 && value !== LEFT),
				left: list(({ value }) => value === LEFT),
			};
		},

		/** The process ends: others may take over at once. */
		async leave(holder: string): Promise<void> {
			await sql.write([statement(`update counters set value = ${LEFT} where name = ?1`, PREFIX + holder)]);
		},

		/** How many processes serve the deployment. */
		async countAlive(): Promise<number> {
			const [row] = await sql.read<{ alive: number }>(
				statement(`select count(*) as alive from counters where ${IS_PROCESS} and not (${HAS_LAPSED})`),
			);
			return row?.alive ?? 0;
		},

		/**
		 * Gives the accepted runs of a process that has ended to another one, and frees its other leases. False if it is alive,
		 * or another process was first.
		 */
		async takeOver(holder: string, from: string): Promise<boolean> {
			const isOver = `exists (select 1 from counters where name = ?1 and ${HAS_LAPSED})`;
			const name = PREFIX + from;
			const outcomes = await sql.write([
				freeLeases(`lease.content = ?2 and ${isOver}`, name, from),
				statement(
					`update entries set metadata_json = json_set(metadata_json, '$.holder', ?3)
					where ${HAS_PROCESS} and metadata_json ->> '$.holder' = ?2 and ${isOver}`,
					name,
					from,
					holder,
				),
				statement(`delete from counters where name = ?1 and ${HAS_LAPSED}`, name),
			]);
			return (outcomes[2]?.changes ?? 0) > 0;
		},
	};
}

export type ProcessStorage = ReturnType<typeof processStorage>;

interface Row {
	readonly name: string;
	readonly value: number;
	readonly has_lapsed: 0 | 1;
	readonly time: number;
}

/** Whether a row of `counters` is that of a process. */
export const IS_PROCESS = "name > 'process' || char(10) and name < 'process' || char(11)";

const PREFIX = "process\n";
/** The character after the line feed. */
const AFTER_PREFIX = "process\u000b";
/** Instead of a time. */
const LEFT = 0;
/** More than the time between two beats. */
const SOON_SECONDS = 60;
const HAS_LAPSED = `value <= unixepoch() - ${PROCESS_LIFETIME_SECONDS}`;
const HAS_PROCESS = `next_run_at is not null and parked_for is null and entry_type = '${ACCEPTED_RUN}'`;
