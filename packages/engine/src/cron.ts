import { Cron } from "croner";

/** Why a text is not a five-field schedule (or a nickname such as `@hourly`) in this zone; null if it is one. */
export function findCronProblem(expression: string, zone: string): string | null {
	if (!/^(?:@\w+|\S+(?:\s+\S+){4})$/.test(expression.trim())) return FIELDS_PROBLEM;
	try {
		return createSchedule(expression, zone).nextRun() === null ? "never runs: no date matches it" : null;
	} catch (error) {
		const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "";
		return `${FIELDS_PROBLEM}: ${reason}`;
	}
}

/** Why a text is not a time zone; null if it is one. */
export function findZoneProblem(zone: string): string | null {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
		return null;
	} catch {
		return "is not an IANA time zone such as Europe/Paris";
	}
}

/** The first occurrence after a time, in milliseconds; null if there is none. */
export function findNextRun(expression: string, zone: string, after: number): number | null {
	return createSchedule(expression, zone).nextRun(new Date(after))?.getTime() ?? null;
}

/** The last occurrence between two times, both included; null if there is none. */
export function findLatestRun(expression: string, zone: string, from: number, until: number): number | null {
	// croner drops milliseconds and searches strictly before its reference, so pass the second after `until`.
	const reference = new Date((Math.floor(until / 1000) + 1) * 1000);
	const latest = createSchedule(expression, zone).previousRuns(1, reference)[0]?.getTime();
	return latest === undefined || latest < from ? null : latest;
}

const FIELDS_PROBLEM = "is not a schedule of five fields such as 0 9 * * 1-5";

const createSchedule = (expression: string, timezone: string): Cron =>
	new Cron(expression.trim(), { mode: "5-part", timezone, paused: true });
