import type { WorkflowDraft } from "@tripline/contract/workflow-versions";
import { type Sql, statement } from "@tripline/platform/sql";
import { CURRENT_ID } from "./workflow-versions.ts";

type DraftRow = Omit<WorkflowDraft, "saved_at" | "text"> & {
	readonly saved_at: number;
	readonly source: string;
};

interface NewDraft extends Pick<WorkflowDraft, "format"> {
	readonly author: string;
	readonly client: string;
	readonly owner_id: string;
	readonly name: string;
	readonly text: string;
	readonly base: number | undefined;
	/** Unix seconds. */
	readonly now: number;
}

const DRAFT = "revision, base, saved_at, author, client, format, source";

/** One unpublished text per workflow. */
export function workflowDraftStorage(sql: Sql) {
	return {
		async get(owner: string, name: string): Promise<DraftRow | null> {
			const [row] = await sql.read<DraftRow>(
				statement(`select ${DRAFT} from workflow_drafts where workflow_id = ${CURRENT_ID}`, owner, name),
			);
			return row ?? null;
		},

		/** Null if there is no such workflow. A draft keeps its base until another is given. */
		async save(draft: NewDraft): Promise<DraftRow | null> {
			const [outcome] = await sql.write([
				statement(
					`insert into workflow_drafts (workflow_id, ${DRAFT})
					select id, 1, coalesce(?3, version), ?4, ?5, ?6, ?7, ?8 from entries where id = ${CURRENT_ID}
					on conflict (workflow_id) do update set revision = workflow_drafts.revision + 1, base = coalesce(?3, workflow_drafts.base),
						saved_at = excluded.saved_at, author = excluded.author, client = excluded.client,
						format = excluded.format, source = excluded.source
					returning ${DRAFT}`,
					draft.owner_id,
					draft.name,
					draft.base ?? null,
					draft.now,
					draft.author,
					draft.client,
					draft.format,
					draft.text,
				),
			]);
			return (outcome?.rows[0] as unknown as DraftRow | undefined) ?? null;
		},

		/** Whether it was there. */
		async delete(owner: string, name: string): Promise<boolean> {
			const [outcome] = await sql.write([
				statement(`delete from workflow_drafts where workflow_id = ${CURRENT_ID}`, owner, name),
			]);
			return (outcome?.changes ?? 0) > 0;
		},
	};
}

export type WorkflowDraftStorage = ReturnType<typeof workflowDraftStorage>;
