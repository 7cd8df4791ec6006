import type { Clock } from "./clock.ts";
import type { Journal } from "./journal.ts";
import { type Sql, statement } from "./sql.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Adds the steps since the run was last taken, `?3` times its steps that are deleted, and `?4` other rows. Only for a run
 * that was taken before, or while the day has fewer rows than `?5`.
 */
const COUNT = `insert into written_rows (day, rows)
select ?2, ?4 + coalesce((
	select (select count(*) from steps where run = ?1) * (1 + ?3) - steps from held_runs where run = ?1
), 0)
where exists (select 1 from held_runs where run = ?1)
	or coalesce((select rows from written_rows where day = ?2), 0) < ?5
on conflict (day) do update set rows = written_rows.rows + excluded.rows
returning rows`;

/** The run itself, and the count. */
const TAKEN = { deletions: 0, others: 2 };
/** The run is changed and, now or later, deleted with its steps. */
const ENDED = { deletions: 1, others: 3 };

/**
 * A journal in SQLite or D1 that takes no new runs once so many rows were written in a UTC day; 0 means no limit. Index
 * rows do not count.
 */
export function limitedJournal(
	journal: Journal,
	{ sql, clock, dailyRows }: { readonly sql: Sql; readonly clock: Clock; readonly dailyRows: number },
): Journal {
	if (dailyRows === 0) return journal;
	return {
		...journal,
		take: async (run, tag) => ((await count(run, TAKEN)) ? journal.take(run, tag) : null),
		async cancel(run, until) {
			await count(run, ENDED);
			await journal.cancel(run, until);
		},
		async retain(run, until, kept) {
			await count(run, ENDED);
			await journal.retain(run, until, kept);
		},
	};

	/** False if the run is new and the limit is reached. */
	async function count(run: string, { deletions, others }: typeof TAKEN): Promise<boolean> {
		const day = Math.floor(clock.now() / DAY_MS);
		const [outcome] = await sql.write([
			statement(COUNT, run, day, deletions, others, dailyRows),
			statement("delete from written_rows where day < ?1", day),
		]);
		return outcome?.rows.length === 1;
	}
}
