import type { Migration } from "@tripline/platform/migrations";

/** The next runs of one owner, soonest first: the index of all that is due would read through every other owner's. */
export const upcoming: Migration = {
	version: 6,
	name: "upcoming",
	statements: ["create index entries_upcoming on entries (owner_id, next_run_at) where schedule is not null"],
};
