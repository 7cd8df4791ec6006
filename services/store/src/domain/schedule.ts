import { type Issue, invalid } from "@tripline/contract/failures";
import { Cron } from "croner";

/** A cron expression and its zone as one text: as long as it is the same, the next time stands. */
export type Schedule = string;

const PATH = "metadata_json.cron_expr";

/** The schedule in a workflow's metadata: `cron_expr`, in the zone of `config.trigger.timezone` (default UTC). */
export function scheduleOf(metadata: {
	readonly cron_expr?: unknown;
	readonly config?: unknown;
}): Schedule | null {
	const expression = metadata.cron_expr ?? "";
	if (expression === "") return null;
	if (typeof expression !== "string") throw invalid([{ path: PATH, message: "must be text or null" }]);
	return `${expression}\n${zoneOf(metadata.config)}`;
}

/** Unix seconds of the first time after `now`; null when the expression never matches again. */
export function nextTime(schedule: Schedule, now: number): number | null {
	const { expression, zone } = partsOf(schedule);
	return inSeconds(nextRun(expression, zone, now * 1000));
}

/** Unix seconds of the latest time from `from` to `until`, both included. */
export function latestTime(schedule: Schedule, from: number, until: number): number | null {
	const { expression, zone } = partsOf(schedule);
	return inSeconds(latestRun(expression, zone, from * 1000, until * 1000));
}

function nextRun(expression: string, zone: string, afterMs: number): number | null {
	return cronOf(expression, zone).nextRun(new Date(afterMs))?.getTime() ?? null;
}

/** Backwards from the end, so that a long time without a tick costs no more than a short one. */
function latestRun(expression: string, zone: string, fromMs: number, untilMs: number): number | null {
	// Looking back leaves out the second it starts from.
	const [latest] = cronOf(expression, zone).previousRuns(1, new Date(untilMs + 1000));
	return latest !== undefined && latest.getTime() >= fromMs ? latest.getTime() : null;
}

function cronOf(expression: string, zone: string): Cron {
	try {
		return new Cron(expression, { mode: "5-part", timezone: zone, paused: true });
	} catch (error) {
		throw invalid([cronIssue(error)]);
	}
}

function partsOf(schedule: Schedule): { expression: string; zone: string } {
	const end = schedule.lastIndexOf("\n");
	return { expression: schedule.slice(0, end), zone: schedule.slice(end + 1) };
}

const inSeconds = (time: number | null): number | null => (time === null ? null : Math.floor(time / 1000));

function zoneOf(config: unknown): string {
	const zone =
		(config as { trigger?: { timezone?: unknown } | null } | null | undefined)?.trigger?.timezone ?? "UTC";
	if (typeof zone === "string" && isTimeZone(zone)) return zone;
	throw invalid([{ path: "metadata_json.config.trigger.timezone", message: "is not an IANA time zone" }]);
}

function isTimeZone(zone: string): boolean {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
		return true;
	} catch {
		return false;
	}
}

function cronIssue(error: unknown): Issue {
	const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "";
	return { path: PATH, message: `is not a cron expression of five fields: ${reason}` };
}
