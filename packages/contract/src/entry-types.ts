/** Entries the service itself keeps. Search for user knowledge leaves out exactly these. */
export const INTERNAL_ENTRY_TYPES: readonly string[] = [
	"value",
	"workflow",
	"execution_log",
	"execution_log_usage",
	"partner_key",
];

export const isInternal = (entryType: string): boolean => INTERNAL_ENTRY_TYPES.includes(entryType);

/** A workflow is internal too, but a tenant's to write as an entry. */
export const STORE_KEPT_TYPES = INTERNAL_ENTRY_TYPES.filter((entryType) => entryType !== "workflow");

export const isStoreKept = (entryType: string): boolean => STORE_KEPT_TYPES.includes(entryType);

/** What only ingest writes, because its lookups are written along. */
export const isIngested = (entryType: string): boolean => entryType === "triplet" || entryType === "entity";
