import type { Clock } from "./clock.ts";
import type { KeptRuns } from "./kept.ts";
import type { Migration } from "./migrations.ts";
import { type Sql, type Statement, statement } from "./sql.ts";

export const keptMigrations: readonly Migration[] = [
	{
		version: 2,
		name: "kept_data",
		statements: [
			`create table kept_runs (
	namespace text not null,
	id text not null,
	expires_at integer not null,
	bytes integer not null,
	text text not null,
	primary key (namespace, id)
) strict`,
			"create index kept_runs_expiry on kept_runs (expires_at)",
			// Adding up all rows of a namespace would take longer the more it keeps.
			`create table kept_sizes (
	namespace text primary key,
	bytes integer not null
) strict, without rowid`,
		],
	},
];

/** Bounds how long one unit of work blocks others. */
const BATCH = 100;

/** SQLite or D1. */
export function sqlKeptRuns({ sql, clock }: { sql: Sql; clock: Clock }): KeptRuns {
	return {
		async put({ namespace, id, text, expiresAt }, maxBytes) {
			const outcomes = await sql.write([
				...deleteRun({ namespace, id }),
				statement(
					"insert into kept_runs (namespace, id, expires_at, bytes, text) values (?1, ?2, ?3, ?4, ?5)",
					namespace,
					id,
					expiresAt,
					text.length,
					text,
				),
				statement(
					`insert into kept_sizes (namespace, bytes) values (?1, ?2)
					on conflict (namespace) do update set bytes = kept_sizes.bytes + excluded.bytes returning bytes`,
					namespace,
					text.length,
				),
			]);
			if (Number(outcomes.at(-1)?.rows[0]?.bytes) > maxBytes) await trim(namespace, maxBytes);
		},

		async get(namespace, id) {
			const [row] = await sql.read<{ text: string; expiresAt: number }>(
				statement(
					`select text, expires_at as "expiresAt" from kept_runs
					where namespace = ?1 and id = ?2 and expires_at > ?3`,
					namespace,
					id,
					clock.now(),
				),
			);
			return row ?? null;
		},

		async delete(namespace, id) {
			const outcomes = await sql.write(deleteRun({ namespace, id }));
			return outcomes.at(-1)?.changes === 1;
		},

		async sweep() {
			const expired = await sql.read<Name>(
				statement(
					"select namespace, id from kept_runs where expires_at <= ?1 order by expires_at limit +?2",
					clock.now(),
					BATCH,
				),
			);
			if (expired.length > 0) await sql.write(expired.flatMap(deleteRun));
			if (expired.length < BATCH) await sql.compact();
			return expired.length;
		},

		async measure(namespace) {
			const [row] = await sql.read<{ bytes: number }>(
				statement("select bytes from kept_sizes where namespace = ?1", namespace),
			);
			return row?.bytes ?? 0;
		},
	};

	async function trim(namespace: string, maxBytes: number): Promise<void> {
		for (;;) {
			// One statement, so that concurrent trims choose the same runs.
			const oldest = await sql.read<Name & { bytes: number; held: number }>(
				statement(
					`select namespace, id, bytes, (select bytes from kept_sizes where namespace = ?1) as held
					from kept_runs where namespace = ?1 order by id limit +?2`,
					namespace,
					BATCH,
				),
			);
			let excess = (oldest[0]?.held ?? 0) - maxBytes;
			const due: Name[] = [];
			for (const run of oldest) {
				if (excess <= 0) break;
				excess -= run.bytes;
				due.push(run);
			}
			if (due.length === 0) return;
			await sql.write(due.flatMap(deleteRun));
		}
	}
}

interface Name {
	readonly namespace: string;
	readonly id: string;
}

/** The second one deletes the row. Both do nothing if it is gone. */
const deleteRun = ({ namespace, id }: Name): Statement[] => [
	statement(
		`update kept_sizes set bytes = bytes - coalesce(
			(select bytes from kept_runs where namespace = ?1 and id = ?2), 0) where namespace = ?1`,
		namespace,
		id,
	),
	statement("delete from kept_runs where namespace = ?1 and id = ?2", namespace, id),
];
