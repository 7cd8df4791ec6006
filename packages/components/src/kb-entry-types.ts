import { isIngested, isInternal } from "@tripline/contract/entry-types";
import { EntryType } from "@tripline/contract/names";

/** Runs may neither read nor write the service's own entries, such as workflows. */
export const KnowledgeType = EntryType.refine((type) => !isInternal(type), {
	error: ({ input }) => `is ${input}, a type that the service keeps for itself; use another`,
});

export const WritableType = KnowledgeType.refine((type) => !isIngested(type), {
	error: ({ input }) => `is ${input}, a type that kb_ingest_triplet writes; use another`,
});
