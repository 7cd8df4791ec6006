/** Entries the service itself keeps. Search for user knowledge leaves out exactly these. */
const INTERNAL_ENTRY_TYPES: readonly string[] = [
	"value",
	"workflow",
	"execution_log",
	"execution_log_usage",
	"partner_key",
];

/** Written only by the store's own endpoints; a workflow is internal too, but a tenant's to write. */
export const isStoreKept = (entryType: string): boolean =>
	entryType !== "workflow" && INTERNAL_ENTRY_TYPES.includes(entryType);
