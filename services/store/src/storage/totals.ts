import { RUN_LEASE } from "@tripline/contract/run-leases";
import { type Sql, statement } from "@tripline/platform/sql";

/** Counting more would take longer than a request should wait for. */
const MAX_COUNTED = 50_000;
/** A schedule that is due for longer was not started in time. A tick comes every minute. */
const OVERDUE_SECONDS = 150;

interface Totals {
	readonly waiting_runs: number;
	readonly parked_runs: number;
	readonly leases: number;
	readonly overdue_schedules: number;
	readonly files: number;
	readonly file_bytes: number;
}

/** What all owners have together. Every count is by an index, and stops at a limit. */
export function totalStorage(sql: Sql) {
	return {
		async read(now: number): Promise<Totals> {
			const [row] = await sql.read<Totals>(statement(TOTALS, now, now - OVERDUE_SECONDS, MAX_COUNTED));
			return row as Totals;
		},
	};
}

export type TotalStorage = ReturnType<typeof totalStorage>;

const count = (rows: string): string => `(select count(*) from (${rows} limit +?3) as counted)`;

// Each term of this condition must be one of the partial index.
const NOT_BULK = [
	"execution_log",
	"triplet",
	"occurrence",
	"idempotency",
	"event_seen",
	"accepted_run",
	"state_value",
]
	.map((type) => `entry_type <> '${type}'`)
	.join(" and ");

const TOTALS = `select
	${count("select 1 from entries indexed by entries_waiting where waits_for is not null")} as waiting_runs,
	${count("select 1 from entries indexed by entries_parked where parked_for is not null")} as parked_runs,
	${count(`select 1 from entries indexed by entries_type where entry_type = '${RUN_LEASE}' and ${NOT_BULK}
		and cast(metadata_json ->> '$.until' as integer) > ?1`)} as leases,
	${count(`select 1 from entries indexed by entries_due where next_run_at is not null and next_run_at < +?2
		and schedule is not null`)} as overdue_schedules,
	${count("select 1 from files indexed by files_owner where state = 'stored'")} as files,
	(select coalesce(sum(value), 0) from counters
		where name > 'files' || char(10) and name < 'files' || char(11)) as file_bytes`;
