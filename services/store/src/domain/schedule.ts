import { invalid } from "@tripline/contract/failures";
import { findCronProblem, findLatestRun, findNextRun, findZoneProblem } from "@tripline/engine/cron";

/** A cron expression and its time zone as one text; while it is unchanged, the next run time stays valid. */
export type Schedule = string;

/** The schedule in a workflow's metadata: `cron_expr` in the time zone `config.trigger.timezone` (default UTC). */
export function readSchedule(metadata: {
	readonly cron_expr?: unknown;
	readonly config?: unknown;
}): Schedule | null {
	const expression = metadata.cron_expr ?? "";
	if (expression === "") return null;
	const zone = readZone(metadata.config);
	const problem = typeof expression === "string" ? findCronProblem(expression, zone) : "must be text or null";
	if (problem !== null) throw invalid([{ path: "metadata_json.cron_expr", message: problem }]);
	return `${expression}\n${zone}`;
}

/** Unix seconds of the first run after `now`; null if the expression never matches again. */
export function findNextTime(schedule: Schedule, now: number): number | null {
	const { expression, zone } = splitSchedule(schedule);
	return toSeconds(findNextRun(expression, zone, now * 1000));
}

/** Unix seconds of the due occurrence: `next_run_at`, or the latest before `since` if `next_run_at` is earlier. */
export function findDueTime(
	{ schedule, next_run_at }: { readonly schedule: Schedule; readonly next_run_at: number },
	since: number,
): number {
	if (next_run_at >= since) return next_run_at;
	const { expression, zone } = splitSchedule(schedule);
	return toSeconds(findLatestRun(expression, zone, next_run_at * 1000, (since - 1) * 1000)) ?? next_run_at;
}

function splitSchedule(schedule: Schedule): { expression: string; zone: string } {
	const end = schedule.lastIndexOf("\n");
	return { expression: schedule.slice(0, end), zone: schedule.slice(end + 1) };
}

const toSeconds = (time: number | null): number | null => (time === null ? null : Math.floor(time / 1000));

function readZone(config: unknown): string {
	const zone =
		(config as { trigger?: { timezone?: unknown } | null } | null | undefined)?.trigger?.timezone ?? "UTC";
	const problem = typeof zone === "string" ? findZoneProblem(zone) : "must be text";
	if (problem === null) return zone as string;
	throw invalid([{ path: "metadata_json.config.trigger.timezone", message: problem }]);
}
