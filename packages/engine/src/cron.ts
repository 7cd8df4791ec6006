import { Cron } from "croner";

/** What keeps a text from being a schedule of five fields (or `@hourly` and the like) in this zone, or null. */
export function cronProblem(expression: string, zone: string): string | null {
	if (!/^(?:@\w+|\S+(?:\s+\S+){4})$/.test(expression.trim())) return FIELDS;
	try {
		return schedule(expression, zone).nextRun() === null ? "never comes to pass" : null;
	} catch (error) {
		const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "";
		return `${FIELDS}: ${reason}`;
	}
}

/** What keeps a text from being a time zone, or null. */
export function zoneProblem(zone: string): string | null {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
		return null;
	} catch {
		return "is not an IANA time zone such as Europe/Paris";
	}
}

/** The first occurrence after a time; null: there is none. In milliseconds. */
export function nextRun(expression: string, zone: string, after: number): number | null {
	return schedule(expression, zone).nextRun(new Date(after))?.getTime() ?? null;
}

/** The last occurrence from one time to another, both included; null: there is none. */
export function latestRun(expression: string, zone: string, from: number, until: number): number | null {
	// croner drops milliseconds and looks before its reference, so the second after `until` includes it.
	const reference = new Date((Math.floor(until / 1000) + 1) * 1000);
	const latest = schedule(expression, zone).previousRuns(1, reference)[0]?.getTime();
	return latest === undefined || latest < from ? null : latest;
}

const FIELDS = "is not a schedule of five fields such as 0 9 * * 1-5";

const schedule = (expression: string, timezone: string): Cron =>
	new Cron(expression.trim(), { mode: "5-part", timezone, paused: true });
