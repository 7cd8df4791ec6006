import { isPrivate } from "@tripline/contract/entry-types";
import { invalid } from "@tripline/contract/failures";
import { parseMembers, readMemberTexts } from "@tripline/contract/json";
import { findNextTime, readSchedule, type Schedule } from "./schedule.ts";

/** Values from an entry's metadata that the database queries by, stored in their own columns. */
export interface Columns {
	readonly schedule: Schedule | null;
	/** Unix seconds, from the schedule or given directly. */
	readonly next_run_at: number | null;
	/** The events that start the workflow, or that mails do. */
	readonly listens: string | null;
}

/** No type of events has such a name. */
export const LISTENS_TO_MAIL = "@mail";

const NONE: Columns = { schedule: null, next_run_at: null, listens: null };
const DUE_PATH = "metadata_json.due_at";

/** `now` in Unix seconds. */
export function toColumns(entryType: string, metadataJson: string, now: number): Columns {
	if (entryType === "workflow") return toWorkflowColumns(metadataJson, now);
	if (!isPrivate(entryType)) return NONE;
	const metadata = parseMembers(metadataJson, ["embed", "due_at"]);
	if (metadata.embed) {
		throw invalid([{ path: "metadata_json.embed", message: `${entryType} is internal and never embedded` }]);
	}
	return entryType === "accepted_run" ? { ...NONE, next_run_at: parseDueAt(metadata.due_at) } : NONE;
}

/** A workflow may be large, so only the needed members are parsed. */
function toWorkflowColumns(metadataJson: string, now: number): Columns {
	const { config = "null", cron_expr = "null" } = readMemberTexts(metadataJson, ["config", "cron_expr"]);
	const metadata = { cron_expr: JSON.parse(cron_expr) as unknown, config: parseMembers(config, ["trigger"]) };
	const schedule = readSchedule(metadata);
	return {
		schedule,
		next_run_at: schedule === null ? null : findNextTime(schedule, now),
		listens: readListenedEvent(metadata.config),
	};
}

/** As lenient as the migration that filled this column for existing entries. */
function readListenedEvent(config: unknown): string | null {
	const trigger = (config as { trigger?: unknown } | null | undefined)?.trigger;
	const { type, event, email } = (trigger ?? {}) as { type?: unknown; event?: unknown; email?: unknown };
	if (type === "event" && typeof email === "object" && email !== null) return LISTENS_TO_MAIL;
	return type === "event" && typeof event === "string" && event !== "" ? event : null;
}

function parseDueAt(value: unknown): number | null {
	if (value === undefined || value === null) return null;
	if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
	throw invalid([{ path: DUE_PATH, message: "must be a whole number of Unix seconds, or null" }]);
}
