/** Entries the service itself keeps. Search for user knowledge leaves out exactly these. */
const INTERNAL_ENTRY_TYPES: readonly string[] = [
	"value",
	"workflow",
	"execution_log",
	"execution_log_usage",
	"partner_key",
];

/** A workflow is internal too, but a tenant's to write as an entry. */
export const isStoreKept = (entryType: string): boolean =>
	entryType !== "workflow" && INTERNAL_ENTRY_TYPES.includes(entryType);

/** What only ingest writes, because its lookups are written along. */
export const isIngested = (entryType: string): boolean => entryType === "triplet" || entryType === "entity";
