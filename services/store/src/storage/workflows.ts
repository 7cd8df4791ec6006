import type { VersionedEntry } from "@tripline/contract/entries";
import { type Sql, statement } from "@tripline/platform/sql";
import { buildUpsertKey, type NewEntry, RETURNED, type StoredEntry, toEntry } from "./entries.ts";
import { indexReplaced } from "./search.ts";
import { CURRENT_ID } from "./workflow-versions.ts";

const WORKFLOW = "workflow";

interface Renaming extends Pick<NewEntry, "now" | "author" | "client" | "content"> {
	readonly id: string;
	readonly owner_id: string;
	readonly to: string;
	readonly metadata_json: string;
	readonly ifVersion: number;
}

/** What is done to a workflow besides writing its text. Each is one unit of work. */
export function workflowStorage(sql: Sql) {
	return {
		async find(owner: string, name: string): Promise<(VersionedEntry & Scheduled) | null> {
			const [row] = await sql.read<StoredEntry & Scheduled>(
				statement(`select ${RETURNED}, schedule from entries where id = ${CURRENT_ID}`, owner, name),
			);
			return row === undefined ? null : { ...toEntry(row), schedule: row.schedule };
		},

		/** Without a next run time no schedule starts it. */
		async disable(id: string): Promise<void> {
			await sql.write([statement("update entries set disabled = 1, next_run_at = null where id = ?1", id)]);
		},

		/** False if the schedule from which the next run time was computed has changed. */
		async enable(id: string, { schedule, nextRunAt }: { schedule: string | null; nextRunAt: number | null }) {
			const [outcome] = await sql.write([
				statement(
					`update entries set disabled = null, next_run_at = iif(disabled is null, next_run_at, ?3)
					where id = ?1 and schedule is not distinct from ?2`,
					id,
					schedule,
					nextRunAt,
				),
			]);
			return (outcome?.changes ?? 0) > 0;
		},

		/** Null if the version is another or the name is taken. */
		async rename(renaming: Renaming): Promise<VersionedEntry | null> {
			const { id, owner_id, to, metadata_json, content, now } = renaming;
			const renamed = { owner_id, entry_type: WORKFLOW, page_name: to };
			const mayRename = `id = ?1 and owner_id = ?2 and version = ?3 and not exists (
				select 1 from entries where owner_id = ?2 and entry_type = 'workflow' and page_name = ?4)`;
			const outcomes = await sql.write([
				statement(
					`insert into former_names (owner_id, name, workflow_id, until)
					select owner_id, page_name, id, ?5 from entries where ${mayRename}
					on conflict do nothing`,
					id,
					owner_id,
					renaming.ifVersion,
					to,
					now,
				),
				// The search and the semantic index have the name too.
				statement(
					`delete from search where rowid in (select seq from entries where ${mayRename})`,
					id,
					owner_id,
					renaming.ifVersion,
					to,
				),
				statement(
					`update embeddings set revision = revision + 1, due_at = ?5, attempts = 0, error = null, failed_at = null
					where entry in (select seq from entries where ${mayRename})`,
					id,
					owner_id,
					renaming.ifVersion,
					to,
					now,
				),
				statement(
					`update entries set page_name = ?4, upsert_key = ?5, metadata_json = ?6, updated_at = ?7,
						author = ?8, client = ?9, version = version + 1 where ${mayRename} returning ${RETURNED}`,
					id,
					owner_id,
					renaming.ifVersion,
					to,
					buildUpsertKey(renamed),
					metadata_json,
					now,
					renaming.author ?? null,
					renaming.client ?? null,
				),
				...indexReplaced(id, { ...renamed, content }),
			]);
			const row = outcomes[3]?.rows[0] as unknown as StoredEntry | undefined;
			return row === undefined ? null : toEntry(row);
		},

		/** The names that it had, last one first. */
		listFormerNames: (owner: string, name: string) =>
			sql.read<{ name: string; until: number }>(
				statement(
					`select name, until from former_names where workflow_id = ${CURRENT_ID}
					order by until desc limit ${MAX_FORMER_NAMES}`,
					owner,
					name,
				),
			),

		/** The present name of the workflow that last had this name. */
		async findRenamed(owner: string, name: string): Promise<string | null> {
			const [row] = await sql.read<{ page_name: string }>(
				statement(
					`select page_name from former_names cross join entries on entries.id = workflow_id
					where former_names.owner_id = ?1 and former_names.name = ?2 and entries.owner_id = ?1
					order by until desc limit 1`,
					owner,
					name,
				),
			);
			return row?.page_name ?? null;
		},
	};
}

export type WorkflowStorage = ReturnType<typeof workflowStorage>;

interface Scheduled {
	readonly schedule: string | null;
}

/** Each costs a query where runs are listed. */
const MAX_FORMER_NAMES = 20;
