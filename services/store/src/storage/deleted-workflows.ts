import type { VersionedEntry } from "@tripline/contract/entries";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import { buildUpsertKey, RETURNED, type StoredEntry, toEntry, WIRE } from "./entries.ts";
import { indexAppended } from "./search.ts";

interface DeletedRow {
	readonly seq: number;
	readonly id: string;
	readonly name: string;
	readonly version: number;
	readonly deleted_at: number;
	readonly author: string | null;
	readonly client: string | null;
}

interface DeletedText {
	readonly name: string;
	readonly content: string;
	readonly metadata_json: string;
}

/** The columns that follow from a workflow's metadata. */
interface Columns {
	readonly schedule: string | null;
	readonly next_run_at: number | null;
	readonly listens: string | null;
}

const PURGED_VERSIONS = 200;
const PURGED_WORKFLOWS = 50;

/** Workflows that were deleted and can be restored. */
export function deletedWorkflowStorage(sql: Sql) {
	return {
		/** Last deleted first. */
		list: (owner: string, { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number; limit: number }) =>
			sql.read<DeletedRow>(
				statement(
					`select seq, id, name, version, deleted_at, author, client from deleted_workflows
					where owner_id = ?1 and seq < ?2 order by seq desc limit +?3`,
					owner,
					before,
					limit,
				),
			),

		async getText(owner: string, id: string): Promise<DeletedText | null> {
			const [row] = await sql.read<DeletedText>(
				statement(
					`select deleted.name, content, metadata_json from deleted_workflows as deleted
					join workflow_versions on workflow_id = id and number = version where id = ?1 and owner_id = ?2`,
					id,
					owner,
				),
			);
			return row ?? null;
		},

		/** Null if it is no longer there or its name is taken. Its id, version and switch are as before. */
		async restore(
			owner: string,
			id: string,
			{ text, columns, now }: { text: DeletedText; columns: Columns; now: number },
		): Promise<VersionedEntry | null> {
			const key = { owner_id: owner, entry_type: "workflow", page_name: text.name };
			const [outcome] = await sql.write([
				statement(
					`insert into entries (${WIRE}, upsert_key, schedule, next_run_at, listens, version, disabled, author, client)
					select id, 'workflow', owner_id, deleted.name, content, metadata_json, deleted.created_at, ?3, ?4, ?5,
						cast(iif(disabled is null, ?6, null) as integer), ?7, version, disabled, versions.author, versions.client
					from deleted_workflows as deleted
					join workflow_versions as versions on workflow_id = id and number = version
					where id = ?1 and owner_id = ?2 and not exists (
						select 1 from entries where owner_id = ?2 and entry_type = 'workflow' and page_name = deleted.name)
					returning ${RETURNED}`,
					id,
					owner,
					now,
					buildUpsertKey(key),
					columns.schedule,
					columns.next_run_at,
					columns.listens,
				),
				...indexAppended(id, { ...key, content: text.content }),
				statement(
					"delete from deleted_workflows where id = ?1 and exists (select 1 from entries where id = ?1)",
					id,
				),
			]);
			const row = outcome?.rows[0] as unknown as StoredEntry | undefined;
			return row === undefined ? null : toEntry(row);
		},

		/** Deletes it for good. Returns whether it was there. */
		async purge(owner: string, id: string): Promise<boolean> {
			const ofDeleted = "exists (select 1 from deleted_workflows where id = ?1 and owner_id = ?2)";
			const remove = (table: string): Statement =>
				statement(`delete from ${table} where workflow_id = ?1 and ${ofDeleted}`, id, owner);
			const outcomes = await sql.write([
				remove("workflow_versions"),
				remove("workflow_drafts"),
				remove("former_names"),
				statement("delete from deleted_workflows where id = ?1 and owner_id = ?2", id, owner),
			]);
			return (outcomes[3]?.changes ?? 0) > 0;
		},

		/** Deletes a bounded part of what was deleted before a time, and returns whether it found anything. */
		async purgeBefore(time: number): Promise<boolean> {
			const old = `(select id from deleted_workflows where deleted_at < ?1
				order by deleted_at limit ${PURGED_WORKFLOWS})`;
			const outcomes = await sql.write([
				// Few at a time: each may be as large as a workflow.
				statement(
					`delete from workflow_versions where (workflow_id, number) in (
						select workflow_id, number from workflow_versions where workflow_id in ${old} limit ${PURGED_VERSIONS})`,
					time,
				),
				statement(`delete from workflow_drafts where workflow_id in ${old}`, time),
				statement(`delete from former_names where workflow_id in ${old}`, time),
				statement(
					`delete from deleted_workflows where id in ${old}
						and not exists (select 1 from workflow_versions where workflow_id = id)`,
					time,
				),
			]);
			return outcomes.some(({ changes }) => changes > 0);
		},
	};
}

export type DeletedWorkflowStorage = ReturnType<typeof deletedWorkflowStorage>;
