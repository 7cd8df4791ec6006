import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import { type Sql, statement } from "@tripline/platform/sql";
import { upsertKey } from "./entries.ts";

/** Runs that go on after the answer. One that has not ended has a time at which it is due. */
export function acceptedRunStorage(sql: Sql) {
	return {
		/** The claimed run's metadata; null: it was started or has ended since it was read, so another has it. */
		async claim(claim: {
			readonly owner_id: string;
			readonly id: string;
			readonly attempts: number;
			readonly due_at: number;
			readonly now: number;
		}): Promise<string | null> {
			const [outcome] = await sql.write([
				statement(
					`update entries set
						metadata_json = json_set(metadata_json, '$.attempts', ?2 + 1, '$.due_at', ?3),
						next_run_at = ?3, updated_at = ?4
					where upsert_key = ?1 and ${UNFINISHED} and json_extract(metadata_json, '$.attempts') = ?2
					returning metadata_json`,
					keyOf(claim.owner_id, claim.id),
					claim.attempts,
					claim.due_at,
					claim.now,
				),
			]);
			return (outcome?.rows[0]?.metadata_json as string | undefined) ?? null;
		},

		/** Whether it had not ended yet: the first end stands. */
		async end(run: {
			readonly owner_id: string;
			readonly id: string;
			readonly metadata_json: string;
			readonly now: number;
		}): Promise<boolean> {
			const [outcome] = await sql.write([
				statement(
					`update entries set metadata_json = ?2, next_run_at = null, updated_at = ?3
					where upsert_key = ?1 and ${UNFINISHED}`,
					keyOf(run.owner_id, run.id),
					run.metadata_json,
					run.now,
				),
			]);
			return (outcome?.changes ?? 0) > 0;
		},
	};
}

export type AcceptedRunStorage = ReturnType<typeof acceptedRunStorage>;

const UNFINISHED = "next_run_at is not null";

const keyOf = (owner_id: string, id: string): string =>
	upsertKey({ owner_id, entry_type: ACCEPTED_RUN, page_name: id });
