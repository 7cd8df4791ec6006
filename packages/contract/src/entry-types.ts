/** Entries the service itself keeps. Search for user knowledge leaves out exactly these. */
export const INTERNAL_ENTRY_TYPES = [
	"value",
	"workflow",
	"execution_log",
	"execution_log_usage",
	"partner_key",
] as const;

/** Written only by the store's own endpoints; a tenant's key may not write them through `/entries`. */
const STORE_KEPT_TYPES: readonly string[] = ["value", "execution_log", "execution_log_usage", "partner_key"];

export const isStoreKept = (entryType: string): boolean => STORE_KEPT_TYPES.includes(entryType);
