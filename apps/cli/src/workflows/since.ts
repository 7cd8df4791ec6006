import { CliProblem } from "../command.ts";

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Converts a relative time, a date or an ISO 8601 time to ISO 8601. */
export function parseInstant(given: string, now: number): string {
	const ago = /^(\d{1,6})([smhdw])$/.exec(given);
	const time =
		ago === null ? parseWritten(given) : now - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
	if (Number.isFinite(time)) return new Date(time).toISOString();
	throw new CliProblem(`${JSON.stringify(given)} is not a time`, {
		code: 2,
		hint: "write 30m, 24h, 7d, 2026-11-01 or 2026-11-01T08:00:00Z",
	});
}

/** A time without a zone is UTC, like all times in the output. */
function parseWritten(given: string): number {
	if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(given))
		return Number.NaN;
	const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(given) && given.includes("T");
	return Date.parse(given.includes("T") && !hasZone ? `${given}Z` : given);
}
