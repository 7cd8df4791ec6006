import type { Migration } from "@tripline/platform/migrations";

/**
 * Runs that have left their process until a wait ends, by owner and workflow: to count them, and to end those of a deleted
 * workflow. A process that starts passes over them in the index.
 */
export const parked: Migration = {
	version: 12,
	name: "parked",
	statements: [
		"alter table entries add column parked_for text",
		"create index entries_parked on entries (owner_id, parked_for) where parked_for is not null",
		"drop index entries_due",
		"create index entries_due on entries (next_run_at, parked_for) where next_run_at is not null",
	],
};
