import type { Migration } from "@tripline/platform/migrations";

const NOT_BULK = `entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run'
	and entry_type <> 'state_value'`;

const counterName = (row: string): string => `'state' || char(10) || ${row}.owner_id`;

/**
 * Named values of a namespace. A number has its own column, so that the database can add to it: adding to the metadata
 * would print the sum as text and round it. The times at which values expire are Unix milliseconds.
 *
 * Triggers count the names of each owner, because counting them before every new one would read up to 10,000 rows.
 * Three indexes are rebuilt without these entries, which come and go as often as other short-lived ones. The previous
 * version runs on without them, only slower in lists that name no type.
 */
export const state: Migration = {
	version: 9,
	name: "state",
	statements: [
		"alter table entries add column number real",
		"alter table entries add column expires_at integer",
		"create index entries_expiry on entries (expires_at, owner_id) where expires_at is not null",
		`create trigger entries_state_new after insert on entries when new.entry_type = 'state_value' begin
	insert into counters (name, value) values (${counterName("new")}, 1)
	on conflict (name) do update set value = value + 1; end`,
		`create trigger entries_state_deleted after delete on entries when old.entry_type = 'state_value' begin
	update counters set value = value - 1 where name = ${counterName("old")}; end`,
		"drop index entries_owner",
		`create index entries_owner on entries (owner_id, created_at)
	where ${NOT_BULK}`,
		"drop index entries_type",
		`create index entries_type on entries (entry_type, created_at)
	where ${NOT_BULK}`,
		"drop index entries_newest",
		`create index entries_newest on entries (created_at)
	where ${NOT_BULK}`,
	],
};
