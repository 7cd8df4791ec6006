const DAY = 24 * 60 * 60;

/**
 * What is kept only for a while, and how many seconds from `created_at` on.
 *
 * A claimed occurrence guards against starting the same one again, so it must outlive everything that can bring an old
 * next time back: a replica that lags (seconds), clocks that differ (minutes), a schedule that is taken away and set
 * again, a database restored after a weekend (days).
 */
export const LIFETIMES: Readonly<Record<string, number>> = {
	idempotency: DAY,
	event_seen: DAY,
	/** One that has not ended stays until it has. */
	accepted_run: DAY,
	occurrence: 7 * DAY,
	/** An authorization code that was presented: as long as anyone would try it again. */
	oauth_code: DAY,
	/** A try at the owner's secret. */
	oauth_attempt: 10 * 60,
};

/** What only internal callers read and write. A list of entries has them only when it names their type. */
export const PRIVATE_TYPES: readonly string[] = [
	...Object.keys(LIFETIMES),
	"credential",
	"vault_key",
	"api_recipe",
	"auth_recipe",
	"installed_component",
];

export const isPrivate = (entryType: string): boolean => PRIVATE_TYPES.includes(entryType);

/** Entries the service itself keeps. Search for user knowledge leaves out exactly these. */
export const INTERNAL_ENTRY_TYPES: readonly string[] = [
	"value",
	"workflow",
	"execution_log",
	"execution_log_usage",
	"partner_key",
	...PRIVATE_TYPES,
];

export const isInternal = (entryType: string): boolean => INTERNAL_ENTRY_TYPES.includes(entryType);

/** A workflow is internal too, but a tenant's to write as an entry. */
export const STORE_KEPT_TYPES = INTERNAL_ENTRY_TYPES.filter((entryType) => entryType !== "workflow");

export const isStoreKept = (entryType: string): boolean => STORE_KEPT_TYPES.includes(entryType);

/** What only ingest writes, because its lookups are written along. */
export const isIngested = (entryType: string): boolean => entryType === "triplet" || entryType === "entity";
