import type { Migration } from "@tripline/platform/migrations";

/** What runs wait for, by owner and by the first word of the pattern of the events. */
export const eventWaits: Migration = {
	version: 13,
	name: "event_waits",
	statements: [
		`create index entries_event_waits on entries (owner_id, metadata_json ->> '$.event_word', seq)
		where entry_type = 'event_wait'`,
	],
};
