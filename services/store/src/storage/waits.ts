import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import { ENDED_WAIT, type FoundWait, WAIT, type WaitKey, type WaitState } from "@tripline/contract/waits";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import { buildUpsertKey } from "./entries.ts";

interface NewWait extends WaitKey {
	readonly entryId: string;
	readonly expires_at: number;
	readonly metadata_json: string;
	readonly now: number;
}

/** What runs wait for: one entry for each wait, with its state in the metadata. */
export function waitStorage(sql: Sql) {
	return {
		async open(wait: NewWait): Promise<boolean> {
			const [outcome] = await sql.write([
				statement(
					`insert into entries
						(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
					values (?1, '${WAIT}', ?2, ?3, '',
						json_object('state', 'open', 'expires_at', ?4, 'what', json(?5)), ?6, ?6, ?7)
					on conflict (upsert_key) where upsert_key is not null do nothing returning id`,
					wait.entryId,
					wait.owner_id,
					buildPage(wait),
					wait.expires_at,
					wait.metadata_json,
					wait.now,
					buildKey(wait),
				),
			]);
			return outcome?.rows.length === 1;
		},

		/** Of parallel answers exactly one counts. The run is due at once, if it has left its process. */
		async answer(
			wait: WaitKey & { readonly answer_json: string; readonly by: string; readonly now: number },
		): Promise<boolean> {
			const [outcome] = await sql.write([
				statement(
					`update entries set entry_type = '${ENDED_WAIT}', updated_at = ?2, metadata_json = json_set(metadata_json,
						'$.state', 'answered', '$.answer', json(?3), '$.by', ?4, '$.answered_at', ?2)
					where upsert_key = ?1 and entry_type = '${WAIT}' and metadata_json ->> '$.expires_at' > ?2
					returning id`,
					buildKey(wait),
					wait.now,
					wait.answer_json,
					wait.by,
				),
				// `changes()` is the number of waits that the previous statement ended.
				statement(
					`update entries set next_run_at = ?2, metadata_json = json_set(metadata_json, '$.due_at', ?2)
					where changes() > 0 and upsert_key = ?1 and next_run_at > ?2
						and json_extract(metadata_json, '$.is_parked')`,
					buildUpsertKey({ owner_id: wait.owner_id, entry_type: ACCEPTED_RUN, page_name: wait.run }),
					wait.now,
				),
			]);
			return outcome?.rows.length === 1;
		},

		/** Nothing changes once it has ended. */
		async end(wait: WaitKey & { readonly state: WaitState; readonly now: number }): Promise<void> {
			await sql.write([
				statement(
					`update entries set entry_type = '${ENDED_WAIT}', updated_at = ?2,
						metadata_json = json_set(metadata_json, '$.state', ?3)
					where upsert_key = ?1 and entry_type = '${WAIT}'`,
					buildKey(wait),
					wait.now,
					wait.state,
				),
			]);
		},

		async get(wait: WaitKey): Promise<FoundWait | null> {
			const [found] = await sql.read<FoundWait>(statement(`${READ} where upsert_key = ?1`, buildKey(wait)));
			return found ?? null;
		},

		/** The same for the run itself, which goes on with an answer: it no longer makes the run due. */
		async take(wait: WaitKey): Promise<FoundWait | null> {
			const [, found] = await sql.write([
				statement(
					`update entries set metadata_json = json_set(metadata_json, '$.is_taken', json('true'))
					where upsert_key = ?1 and metadata_json ->> '$.state' = 'answered'`,
					buildKey(wait),
				),
				statement(`${READ} where upsert_key = ?1`, buildKey(wait)),
			]);
			return (found?.rows[0] as FoundWait | undefined) ?? null;
		},
	};
}

export type WaitStorage = ReturnType<typeof waitStorage>;

const READ = `select metadata_json ->> '$.state' as state, metadata_json ->> '$.expires_at' as expires_at,
	metadata_json -> '$.what' as metadata_json, metadata_json -> '$.answer' as answer_json,
	metadata_json ->> '$.by' as by, metadata_json ->> '$.answered_at' as answered_at from entries`;

/** Withdraws whatever a run that has ended still waits for. */
export const withdrawWaits = (owner_id: string, run: string, now: number): Statement =>
	statement(
		`update entries set entry_type = '${ENDED_WAIT}', updated_at = ?3,
			metadata_json = json_set(metadata_json, '$.state', 'withdrawn')
		where upsert_key > ?1 and upsert_key < ?2 and entry_type = '${WAIT}'`,
		...buildKeyRange(owner_id, run),
		now,
	);

/** Whether a run has an answer that it does not know. The parameters are what `buildKeyRange` returns. */
export const hasAnswer = (from: string, to: string): string =>
	`exists (select 1 from entries as answered where answered.upsert_key > ${from} and answered.upsert_key < ${to}
		and answered.metadata_json ->> '$.state' = 'answered' and answered.metadata_json ->> '$.is_taken' is null)`;

const buildPage = ({ run, id }: Pick<WaitKey, "run" | "id">): string => `${run}\n${id}`;

const buildKey = ({ owner_id, ...wait }: WaitKey): string =>
	buildUpsertKey({ owner_id, entry_type: WAIT, page_name: buildPage(wait) });

/** All keys of a run's waits are between these two: the second ends with the character after the line feed. */
export function buildKeyRange(owner_id: string, run: string): [string, string] {
	const prefix = buildUpsertKey({ owner_id, entry_type: WAIT, page_name: run });
	return [`${prefix}\n`, `${prefix}\u000b`];
}
