import type { Trigger } from "@tripline/contract/workflows";
import { cronProblem, zoneProblem } from "../cron.ts";
import type { Report } from "../diagnostics.ts";
import { eventPatternProblem } from "../event-pattern.ts";

export function checkTrigger({ type, cron, timezone, event }: Trigger, report: Report): void {
	const at = (field: string) => ({ path: ["trigger", field] });
	const zone = timezone === undefined ? null : zoneProblem(timezone);
	if (zone !== null) report.error("bad_timezone", `timezone ${zone}`, at("timezone"));
	if (type === "schedule") {
		const problem =
			cron === undefined ? "is required" : cronProblem(cron, zone === null ? (timezone ?? "UTC") : "UTC");
		if (problem !== null) report.error("bad_cron", `cron ${problem}`, at("cron"), CRON_HINT);
	} else if (cron !== undefined) {
		report.error("bad_cron", `cron belongs to a trigger of type schedule, not ${type}`, at("cron"));
	}
	if (type === "event") {
		const problem = event === undefined ? "is required" : eventPatternProblem(event);
		if (problem !== null) report.error("bad_event", `event ${problem}`, at("event"));
	} else if (event !== undefined) {
		report.error("bad_event", `event belongs to a trigger of type event, not ${type}`, at("event"));
	}
}

const CRON_HINT = "Five fields: minute, hour, day of month, month, day of week; or @hourly and the like";
