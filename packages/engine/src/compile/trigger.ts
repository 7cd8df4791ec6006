import type { Trigger } from "@tripline/contract/workflows";
import { findCronProblem, findZoneProblem } from "../cron.ts";
import type { Report } from "../diagnostics.ts";
import { findEventPatternProblem } from "../event-pattern.ts";

export function checkTrigger({ type, cron, timezone, event, email }: Trigger, report: Report): void {
	const at = (field: string) => ({ path: ["trigger", field] });
	const zone = timezone === undefined ? null : findZoneProblem(timezone);
	if (zone !== null) report.error("bad_timezone", `timezone ${zone}`, at("timezone"));
	if (type === "schedule") {
		if (cron === undefined) {
			report.warning("never_fires", "a schedule without cron never fires", at("cron"), CRON_HINT);
		} else {
			const problem = findCronProblem(cron, zone === null ? (timezone ?? "UTC") : "UTC");
			if (problem !== null) report.error("bad_cron", `cron ${problem}`, at("cron"), CRON_HINT);
		}
	} else if (cron !== undefined) {
		report.error("bad_cron", `cron belongs to a trigger of type schedule, not ${type}`, at("cron"));
	}
	if (type === "event") {
		if (event === undefined && email !== undefined) return;
		if (event === undefined) {
			report.warning("never_fires", "an event trigger without event never fires", at("event"), EVENT_HINT);
		} else {
			const problem = findEventPatternProblem(event);
			if (problem !== null) report.error("bad_event", `event ${problem}`, at("event"));
		}
	} else if (event !== undefined) {
		report.error("bad_event", `event belongs to a trigger of type event, not ${type}`, at("event"));
	}
}

const CRON_HINT =
	"Five fields: minute, hour, day of month, month, day of week; or a nickname such as @hourly";
const EVENT_HINT =
	"The type of the events that start it, or a pattern such as order.*; or email for the mails of a mailbox";
