import { type Issue, invalid } from "@tripline/contract/failures";
import { Cron } from "croner";

export interface Schedule {
	/** The cron expression and its zone: as long as it is the same, the next time stands. */
	readonly schedule: string;
	/** Unix seconds; null when the expression never matches again. */
	readonly nextRunAt: number | null;
}

const PATH = "metadata_json.cron_expr";

/** The schedule in a workflow's metadata: `cron_expr`, in the zone of `config.trigger.timezone` (default UTC). */
export function scheduleOf(metadataJson: string, now: number): Schedule | null {
	const metadata = JSON.parse(metadataJson) as { cron_expr?: unknown; config?: unknown };
	const expression = metadata.cron_expr ?? "";
	if (expression === "") return null;
	if (typeof expression !== "string") throw invalid([{ path: PATH, message: "must be text or null" }]);
	const zone = zoneOf(metadata.config);
	return { schedule: `${expression}\n${zone}`, nextRunAt: nextRun(expression, zone, now) };
}

function nextRun(expression: string, zone: string, now: number): number | null {
	try {
		const next = new Cron(expression, { mode: "5-part", timezone: zone, paused: true }).nextRun(
			new Date(now),
		);
		return next === null ? null : Math.floor(next.getTime() / 1000);
	} catch (error) {
		throw invalid([cronIssue(error)]);
	}
}

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
