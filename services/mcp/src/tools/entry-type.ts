import { isIngested, isInternal } from "@tripline/contract/entry-types";
import { EntryType } from "@tripline/contract/names";

export const DEFAULT_TYPE = "note";

/** Entries of users' knowledge; what the service keeps for itself has tools of its own, or none. */
export const KnowledgeType = EntryType.refine((type) => !isInternal(type), {
	error: ({ input }) =>
		input === "workflow"
			? "is workflow: workflows are found with list_workflows and read with get_workflow"
			: `is ${String(input)}, a type that the service keeps for itself; use another`,
});

export const WritableType = KnowledgeType.refine((type) => !isIngested(type), {
	error: ({ input }) => `is ${String(input)}, which only ingest_triplet writes; use another type`,
});
