const DAY = 24 * 60 * 60;

/**
 * Entry types that expire, with their lifetime in seconds from `created_at`.
 *
 * A claimed occurrence prevents a second start, so it must outlive everything that can bring back an old next run time:
 * a lagging replica (seconds), clock differences (minutes), a schedule that is removed and set again, a database
 * restored after a weekend (days).
 */
export const LIFETIMES: Readonly<Record<string, number>> = {
	idempotency: DAY,
	event_seen: DAY,
	/** A run that has not ended is kept until it does. */
	accepted_run: DAY,
	occurrence: 7 * DAY,
	/** Ends with its run, which may wait for a month; kept longer only if the run's process died. */
	run_lease: 31 * DAY,
	/** What a run waits for lasts as long as the run at most. Its page says afterwards what became of it. */
	wait: 31 * DAY,
	event_wait: 31 * DAY,
	ended_wait: 38 * DAY,
	/** A used authorization code: kept as long as a replay is likely. */
	oauth_code: DAY,
	/** An attempt with the owner secret. */
	oauth_attempt: 10 * 60,
	/** A message of a chat and its reply. */
	chat_turn: 30 * DAY,
	/** A link to sign in at a service, its use, and the state of the sign-in. */
	sign_in: 20 * 60,
	/** The right to renew a credential's access token. */
	sign_in_lease: 10 * 60,
};

/** A small named value of a namespace; its page is the name. */
export const STATE_TYPE = "state_value";

/** What a workflow's polls remember; its page is the workflow's name. */
export const POLL_STATE = "poll_state";
/** How far a workflow has read a mailbox; its page is the id of the workflow's entry. */
export const MAILBOX_STATE = "mailbox_state";

/** A conversation with an agent: its page names it, and its content is the summary of older turns. */
export const CONVERSATION = "agent_conversation";
/** A turn of a conversation, with the same page. */
export const CONVERSATION_TURN = "agent_turn";

/** A namespace's settings for its executions; one page. */
export const EXECUTION_SETTINGS = "execution_settings";

/** Types that only internal callers read and write. Listings include them only if their type is given. */
export const PRIVATE_TYPES: readonly string[] = [
	...Object.keys(LIFETIMES),
	"credential",
	"vault_key",
	"api_recipe",
	"auth_recipe",
	"installed_component",
	STATE_TYPE,
	POLL_STATE,
	MAILBOX_STATE,
	EXECUTION_SETTINGS,
	CONVERSATION,
	CONVERSATION_TURN,
];

export const isPrivate = (entryType: string): boolean => PRIVATE_TYPES.includes(entryType);

/** Types that the service uses itself. Search for user knowledge excludes exactly these. */
export const INTERNAL_ENTRY_TYPES: readonly string[] = [
	"value",
	"workflow",
	"execution_log",
	"execution_log_usage",
	"partner_key",
	...PRIVATE_TYPES,
];

export const isInternal = (entryType: string): boolean => INTERNAL_ENTRY_TYPES.includes(entryType);

/** A workflow is internal too, but tenants may write it as an entry. */
export const STORE_KEPT_TYPES = INTERNAL_ENTRY_TYPES.filter((entryType) => entryType !== "workflow");

export const isStoreKept = (entryType: string): boolean => STORE_KEPT_TYPES.includes(entryType);

/** Types that only ingest writes, because it also writes their lookups. */
export const isIngested = (entryType: string): boolean => entryType === "triplet" || entryType === "entity";
