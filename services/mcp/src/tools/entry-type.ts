import { isIngested, isInternal } from "@tripline/contract/entry-types";
import { EntryType } from "@tripline/contract/names";

export const DEFAULT_TYPE = "note";

/** Types of knowledge entries. Internal types have tools of their own, or none. */
export const KnowledgeType = EntryType.refine((type) => !isInternal(type), {
	error: ({ input }) =>
		input === "workflow"
			? "must not be workflow: find workflows with list_workflows and read them with get_workflow"
			: `must not be ${String(input)}, which is reserved for internal use; use another type`,
});

export const WritableType = KnowledgeType.refine((type) => !isIngested(type), {
	error: ({ input }) => `must not be ${String(input)}, which only ingest_triplet writes; use another type`,
});
