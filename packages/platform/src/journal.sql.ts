import { type HeldRun, type Journal, RunLost } from "./journal.ts";
import type { Migration } from "./migrations.ts";
import { type Sql, statement } from "./sql.ts";

export const journalMigrations: readonly Migration[] = [
	{
		version: 1,
		name: "journal",
		statements: [
			`create table held_runs (
	run text primary key,
	tag text not null,
	-- Counts how often it was taken. Only the last holder may record steps.
	holder integer not null,
	-- How many steps it had when it was last taken, and how many of the last times it had no more than before.
	steps integer not null,
	idle_takes integer not null,
	is_cancelled integer not null default 0,
	-- Unix seconds. Set once it has ended, if its steps are retained.
	retained_until integer,
	-- Of a run that is retained for its owner.
	owner text,
	bytes integer
) strict, without rowid`,
			"create index held_runs_retained on held_runs (retained_until) where retained_until is not null",
			"create index held_runs_of_owner on held_runs (owner, retained_until) where owner is not null",
			`create table steps (
	run text not null,
	line text not null,
	place integer not null,
	-- A step that is too large for one row continues in the next part.
	part integer not null,
	bytes blob not null,
	primary key (run, line, place, part)
) strict, without rowid`,
		],
	},
	{
		version: 3,
		name: "interrupts",
		statements: [
			// How often a run was cancelled that has to clean up. One with `is_cancelled` has ended.
			"alter table held_runs add column interrupts integer not null default 0",
		],
	},
	{
		version: 4,
		name: "written_rows",
		statements: [
			// The rows that were written and deleted for runs, by day since the Unix epoch.
			"create table written_rows (day integer primary key, rows integer not null) strict",
		],
	},
];

/** A row of D1 has 2 MB at most. */
const PART_BYTES = 1_500_000;
/** Bounds how long one query blocks others. */
const PAGE_ROWS = 500;
const RUNS_PER_SWEEP = 20;

const TAKE = `insert into held_runs (run, tag, holder, steps, idle_takes) values (?1, ?2, 1, 0, 0)
on conflict (run) do update set
	holder = held_runs.holder + 1,
	retained_until = null,
	owner = null,
	steps = (select count(*) from steps where run = ?1),
	idle_takes = case when (select count(*) from steps where run = ?1) > held_runs.steps then 0 else held_runs.idle_takes + 1 end
where held_runs.is_cancelled = 0
returning tag, holder, idle_takes, interrupts`;

const INTERRUPT = `update held_runs set holder = holder + case interrupts when 0 then 1 else 0 end, interrupts = interrupts + 1
where run = ?1 and is_cancelled = 0 and retained_until is null
returning tag, interrupts`;

export function sqlJournal(sql: Sql): Journal {
	return {
		async take(run, tag) {
			const [outcome] = await sql.write([statement(TAKE, run, tag)]);
			const { rows } = outcome as { rows: readonly unknown[] };
			const held = rows[0] as HeldRow | undefined;
			if (held === undefined) throw new RunLost();
			// Whoever takes it for the first time finds nothing.
			return hold(run, held, held.holder === 1 ? new Map() : await readLines(run));
		},

		async countIdleTakes(run) {
			const [row] = await sql.read<{ idle_takes: number }>(
				statement(
					`select case when (select count(*) from steps where run = ?1) > steps then 0 else idle_takes + 1 end as idle_takes
					from held_runs where run = ?1`,
					run,
				),
			);
			return row?.idle_takes ?? null;
		},

		async interrupt(run) {
			const [outcome] = await sql.write([statement(INTERRUPT, run)]);
			const { rows } = outcome as { rows: readonly unknown[] };
			const row = rows[0] as { tag: string; interrupts: number } | undefined;
			return row === undefined ? null : { tag: row.tag, isFirst: row.interrupts === 1 };
		},

		async cancel(run, until) {
			await sql.write([
				statement(
					`insert into held_runs (run, tag, holder, steps, idle_takes, is_cancelled, retained_until)
					values (?1, '', 0, 0, 0, 1, ?2)
					on conflict (run) do update set is_cancelled = 1, holder = held_runs.holder + 1, retained_until = ?2`,
					run,
					until,
				),
				statement("delete from steps where run = ?1", run),
			]);
		},

		async delete(run) {
			await sql.write(deleteRun(run));
		},

		async retain(run, until, kept) {
			// Whoever held it can record nothing more.
			await sql.write([
				statement(
					"update held_runs set retained_until = ?2, owner = ?3, bytes = ?4, holder = holder + 1 where run = ?1",
					run,
					until,
					kept?.owner ?? null,
					kept?.bytes ?? null,
				),
			]);
			if (kept === undefined) return;
			const beyond = await sql.read<{ run: string }>(
				statement(
					`select run from (
						select run, sum(bytes) over (order by retained_until desc, run) as total
						from held_runs indexed by held_runs_of_owner where owner = ?1
					) as newest where total > ?2 limit ${RUNS_PER_SWEEP}`,
					kept.owner,
					kept.maxBytes,
				),
			);
			if (beyond.length > 0) await sql.write(beyond.flatMap((each) => deleteRun(each.run)));
		},

		async read(run) {
			const [row] = await sql.read<{ tag: string }>(
				statement(
					"select tag from held_runs where run = ?1 and retained_until is not null and is_cancelled = 0",
					run,
				),
			);
			if (row === undefined) return null;
			const lines = await readLines(run);
			return { tag: row.tag, list: (line) => lines.get(line)?.steps ?? [] };
		},

		async sweep(now) {
			const expired = await sql.read<{ run: string }>(
				statement(
					`select run from held_runs indexed by held_runs_retained
					where retained_until is not null and retained_until <= ?1 limit ${RUNS_PER_SWEEP}`,
					now,
				),
			);
			if (expired.length > 0) await sql.write(expired.flatMap(({ run }) => deleteRun(run)));
			return expired.length;
		},
	};

	function hold(
		run: string,
		{ tag, holder, idle_takes: idleTakes, interrupts }: HeldRow,
		lines: ReadonlyMap<string, Line>,
	): HeldRun {
		const places = new Map([...lines].map(([line, { nextPlace }]) => [line, nextPlace]));
		return {
			tag,
			idleTakes,
			isCancelled: interrupts > 0,
			bytes: countBytes(lines),
			list: (line) => lines.get(line)?.steps ?? [],
			async append(line, step) {
				const place = places.get(line) ?? 0;
				places.set(line, place + 1);
				const outcomes = await sql.write(
					splitStep(step).map((bytes, part) =>
						statement(
							`insert into steps (run, line, place, part, bytes) select ?1, ?3, ?4, ?5, ?6
							where exists (select 1 from held_runs where run = ?1 and holder = ?2)`,
							run,
							holder,
							line,
							place,
							part,
							bytes,
						),
					),
				);
				if (outcomes.some(({ changes }) => changes === 0)) throw new RunLost();
			},
		};
	}

	async function readLines(run: string): Promise<Map<string, Line>> {
		const lines = new Map<string, Line>();
		let last: StepRow = { line: "", place: -1, part: 0, bytes: NO_BYTES };
		for (;;) {
			const rows = await sql.read<StepRow>(
				statement(
					`select line, place, part, bytes from steps
					where run = ?1 and (line, place, part) > (?2, ?3, ?4) order by line, place, part limit +?5`,
					run,
					last.line,
					last.place,
					last.part,
					PAGE_ROWS,
				),
			);
			for (const row of rows) addRow(lines, row);
			if (rows.length < PAGE_ROWS) return lines;
			last = rows.at(-1) as StepRow;
		}
	}
}

const deleteRun = (run: string) => [
	statement("delete from held_runs where run = ?1", run),
	statement("delete from steps where run = ?1", run),
];

interface HeldRow {
	readonly tag: string;
	readonly holder: number;
	readonly idle_takes: number;
	readonly interrupts: number;
}

interface StepRow {
	readonly line: string;
	readonly place: number;
	readonly part: number;
	readonly bytes: Uint8Array;
}

/** A place is missing where a write failed although a later one succeeded. */
interface Line {
	readonly steps: Uint8Array[];
	nextPlace: number;
}

const NO_BYTES = new Uint8Array();

function countBytes(lines: ReadonlyMap<string, Line>): number {
	let bytes = 0;
	for (const { steps } of lines.values()) for (const { length } of steps) bytes += length;
	return bytes;
}

function addRow(lines: Map<string, Line>, { line: name, place, part, bytes }: StepRow): void {
	const line = lines.get(name) ?? { steps: [], nextPlace: 0 };
	lines.set(name, line);
	line.nextPlace = place + 1;
	if (part === 0) line.steps.push(bytes);
	else line.steps.push(joinBytes(line.steps.pop() as Uint8Array, bytes));
}

function joinBytes(start: Uint8Array, end: Uint8Array): Uint8Array {
	const whole = new Uint8Array(start.length + end.length);
	whole.set(start);
	whole.set(end, start.length);
	return whole;
}

function splitStep(step: Uint8Array): Uint8Array[] {
	const parts = [step.subarray(0, PART_BYTES)];
	for (let at = PART_BYTES; at < step.length; at += PART_BYTES)
		parts.push(step.subarray(at, at + PART_BYTES));
	return parts;
}
