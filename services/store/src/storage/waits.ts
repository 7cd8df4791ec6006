import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import {
	ENDED_WAIT,
	EVENT_WAIT,
	type EventWait,
	type FoundWait,
	MAX_WAITS_PER_CALL,
	type RunWait,
	WAIT,
	type WaitKey,
	type WaitState,
} from "@tripline/contract/waits";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import { buildUpsertKey } from "./entries.ts";

interface NewWait extends WaitKey {
	readonly entryId: string;
	readonly expires_at: number;
	readonly metadata_json: string;
	readonly event_word?: string | undefined;
	readonly now: number;
}

const IS_OPEN = `entry_type in ('${WAIT}', '${EVENT_WAIT}')`;

/** What runs wait for: one entry for each wait, with its state in the metadata. */
export function waitStorage(sql: Sql) {
	return {
		async open(wait: NewWait): Promise<boolean> {
			const { event_word = null } = wait;
			const [outcome] = await sql.write([
				statement(
					`insert into entries
						(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
					values (?1, iif(?8 is null, '${WAIT}', '${EVENT_WAIT}'), ?2, ?3, '',
						json_object('state', 'open', 'expires_at', ?4, 'what', json(?5), 'event_word', ?8),
						?6, ?6, ?7)
					on conflict (upsert_key) where upsert_key is not null do nothing returning id`,
					wait.entryId,
					wait.owner_id,
					buildPage(wait),
					wait.expires_at,
					wait.metadata_json,
					wait.now,
					buildKey(wait),
					event_word,
				),
			]);
			return outcome?.rows.length === 1;
		},

		/**
		 * Of parallel answers to a wait exactly one counts. The runs are due at once, if they have left their process. Returns
		 * the waits that it answers.
		 */
		async answer(answer: {
			readonly owner_id: string;
			readonly waits: readonly RunWait[];
			readonly answer_json: string;
			readonly by: string;
			readonly now: number;
		}): Promise<RunWait[]> {
			const { owner_id, now } = answer;
			const keys = answer.waits.map((wait) => buildKey({ owner_id, ...wait }));
			const runs = answer.waits.map(({ run }) =>
				buildUpsertKey({ owner_id, entry_type: ACCEPTED_RUN, page_name: run }),
			);
			const [outcome] = await sql.write([
				statement(
					`update entries set entry_type = '${ENDED_WAIT}', updated_at = ?2, metadata_json = json_set(metadata_json,
						'$.state', 'answered', '$.answer', json(?3), '$.by', ?4, '$.answered_at', ?2)
					where upsert_key in (select value from json_each(?1)) and ${IS_OPEN}
						and cast(metadata_json ->> '$.expires_at' as integer) > ?2
					returning page_name`,
					JSON.stringify(keys),
					now,
					answer.answer_json,
					answer.by,
				),
				// `changes()` is the number of waits that the previous statement ended. A run of another wait looks and waits on.
				statement(
					`update entries set next_run_at = ?2, metadata_json = json_set(metadata_json, '$.due_at', ?2)
					where changes() > 0 and upsert_key in (select value from json_each(?1)) and next_run_at > ?2
						and metadata_json ->> '$.is_parked' is not null`,
					JSON.stringify(runs),
					now,
				),
			]);
			return (outcome?.rows ?? []).map(({ page_name }) => parsePage(page_name as string));
		},

		/** Waits for events by the first word of their patterns, the oldest first. */
		async listEventWaits(query: {
			readonly owner_id: string;
			readonly word: string;
			readonly after: number;
			readonly now: number;
		}): Promise<{ waits: EventWait[]; next: number | null }> {
			const rows = await sql.read<{ seq: number; page_name: string; metadata_json: string }>(
				statement(
					`select seq, page_name, metadata_json -> '$.what' as metadata_json
					from entries indexed by entries_event_waits
					where entry_type = '${EVENT_WAIT}' and owner_id = ?1 and metadata_json ->> '$.event_word' = ?2 and seq > ?3
						and cast(metadata_json ->> '$.expires_at' as integer) > ?4
					order by seq limit ${MAX_WAITS_PER_CALL}`,
					query.owner_id,
					query.word,
					query.after,
					query.now,
				),
			);
			const waits = rows.map(({ page_name, metadata_json }) => ({ ...parsePage(page_name), metadata_json }));
			return { waits, next: rows.length < MAX_WAITS_PER_CALL ? null : (rows.at(-1)?.seq ?? null) };
		},

		/** What became of it does not change once it has ended, but the run no longer waits for it. */
		async end(wait: WaitKey & { readonly state: WaitState; readonly now: number }): Promise<void> {
			await sql.write([
				statement(
					`update entries set ${ended("?2", "?3")} where upsert_key = ?1`,
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

/** Changes a wait to one that its run does not wait for. */
const ended = (now: string, state = "'withdrawn'"): string =>
	`entry_type = '${ENDED_WAIT}', updated_at = ${now}, metadata_json = json_set(metadata_json,
		'$.state', iif(${IS_OPEN}, ${state}, metadata_json ->> '$.state'), '$.is_taken', json('true'))`;

const READ = `select metadata_json ->> '$.state' as state, cast(metadata_json ->> '$.expires_at' as integer) as expires_at,
	metadata_json -> '$.what' as metadata_json, metadata_json -> '$.answer' as answer_json,
	metadata_json ->> '$.by' as by, cast(metadata_json ->> '$.answered_at' as integer) as answered_at from entries`;

/** Withdraws the open questions of a run that has ended. Nobody looks at an event that it waited for. */
export const withdrawWaits = (owner_id: string, run: string, now: number): Statement[] => [
	statement(
		`delete from entries where upsert_key > ?1 and upsert_key < ?2 and metadata_json ->> '$.event_word' is not null`,
		...buildKeyRange(owner_id, run),
	),
	statement(
		`update entries set ${ended("?3")} where upsert_key > ?1 and upsert_key < ?2 and entry_type = '${WAIT}'`,
		...buildKeyRange(owner_id, run),
		now,
	),
];

/** What a run waits for that leaves its process. The parameters are what `buildKeyRange` returns. */
export const describeParked = (from: string, to: string): string =>
	`coalesce((select iif(open.entry_type = '${WAIT}', 'answer', 'event') from entries as open
		where open.upsert_key > ${from} and open.upsert_key < ${to} and open.entry_type in ('${WAIT}', '${EVENT_WAIT}')
		order by open.entry_type desc limit 1), 'time')`;

/** Whether a run has an answer that it does not know. The parameters are what `buildKeyRange` returns. */
export const hasAnswer = (from: string, to: string): string =>
	`exists (select 1 from entries as answered where answered.upsert_key > ${from} and answered.upsert_key < ${to}
		and answered.metadata_json ->> '$.state' = 'answered' and answered.metadata_json ->> '$.is_taken' is null)`;

const buildPage = ({ run, id }: RunWait): string => `${run}\n${id}`;

function parsePage(page: string): RunWait {
	const [run = "", id = ""] = page.split("\n");
	return { run, id };
}

const buildKey = ({ owner_id, ...wait }: WaitKey): string =>
	buildUpsertKey({ owner_id, entry_type: WAIT, page_name: buildPage(wait) });

/** All keys of a run's waits are between these two: the second ends with the character after the line feed. */
export function buildKeyRange(owner_id: string, run: string): [string, string] {
	const prefix = buildUpsertKey({ owner_id, entry_type: WAIT, page_name: run });
	return [`${prefix}\n`, `${prefix}\u000b`];
}
