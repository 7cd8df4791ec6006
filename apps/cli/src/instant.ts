import { CliProblem } from "./command.ts";

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Converts a relative time, a date or an ISO 8601 time to ISO 8601. */
export function parseInstant(given: string, now: number): string {
	const time = now - parseLength(given);
	const instant = Number.isFinite(time) ? time : parseWritten(given);
	if (Number.isFinite(instant)) return new Date(instant).toISOString();
	throw new CliProblem(`${JSON.stringify(given)} is not a time`, {
		code: 2,
		hint: "write 30m, 24h, 7d, 2026-11-01 or 2026-11-01T08:00:00Z",
	});
}

/** Milliseconds of a duration such as 90s. */
export function parseDuration(given: string): number {
	const length = parseLength(given);
	if (length > 0) return length;
	throw new CliProblem(`${JSON.stringify(given)} is not a duration`, {
		code: 2,
		hint: "write 90s, 10m, 24h or 7d",
	});
}

function parseLength(given: string): number {
	const written = /^(\d{1,6})([smhdw])$/.exec(given);
	return written === null ? Number.NaN : Number(written[1]) * UNITS[written[2] as keyof typeof UNITS];
}

/** A time without a zone is UTC, like all times in the output. */
function parseWritten(given: string): number {
	if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(given))
		return Number.NaN;
	const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(given) && given.includes("T");
	return Date.parse(given.includes("T") && !hasZone ? `${given}Z` : given);
}
