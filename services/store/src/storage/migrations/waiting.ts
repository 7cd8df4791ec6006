import type { Migration } from "@tripline/platform/migrations";

/**
 * Accepted runs that have not started, by owner and by the workflow that they wait for: few, so counting them to a bound
 * and ending those of a deleted workflow reads nothing else.
 */
export const waiting: Migration = {
	version: 7,
	name: "waiting",
	statements: [
		"alter table entries add column waits_for text",
		"create index entries_waiting on entries (owner_id, waits_for) where waits_for is not null",
	],
};
