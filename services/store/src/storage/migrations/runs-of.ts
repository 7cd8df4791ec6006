import type { Migration } from "@tripline/platform/migrations";

const IS_OF_WEBHOOK = "json_extract(metadata_json, '$.trigger') is 'webhook'";

/**
 * Whether the run of an execution record is of a token webhook, 1 or 0; null for all other entries. A webhook may be
 * called like a workflow, so that runs of both stand on one page: the index of pages keeps them apart, each in the order
 * of their times. An index of their own would make writing a record half as dear again, and one row more on D1.
 *
 * It is a column and not read from the metadata, because an index over those would be written at every update of any
 * entry. The trigger sets it for who does not know it. The version before runs on, only slower where it asks for a page.
 */
export const runsOf: Migration = {
	version: 8,
	name: "runs_of",
	statements: [
		"alter table entries add column webhook integer",
		"drop index entries_page",
		`update entries set webhook = ${IS_OF_WEBHOOK} where entry_type = 'execution_log'`,
		"create index entries_page on entries (owner_id, entry_type, page_name, webhook, created_at)",
		`create trigger entries_webhook_unknown after insert on entries
	when new.webhook is null and new.entry_type = 'execution_log' begin
	update entries set webhook = ${IS_OF_WEBHOOK} where seq = new.seq; end`,
	],
};
