import { parseTime } from "../dates.ts";

/** A point in time. Its field is private so that no path can read it. */
export class Timestamp {
	readonly #ms: number;
	constructor(ms: number) {
		this.#ms = ms;
	}
	/** Undefined outside the years 1 to 9999. */
	static at(ms: number): Timestamp | undefined {
		const time = new Date(ms);
		const year = time.getUTCFullYear();
		return year >= 1 && year <= 9999 ? new Timestamp(time.getTime()) : undefined;
	}
	get ms(): number {
		return this.#ms;
	}
	toString(): string {
		return new Date(this.#ms).toISOString();
	}
}

export class Duration {
	readonly #ms: number;
	constructor(ms: number) {
		this.#ms = ms;
	}
	get ms(): number {
		return this.#ms;
	}
	toString(): string {
		return `${this.#ms / 1000}s`;
	}
}

export function readTimestamp(value: string | number): Timestamp | undefined {
	const ms = parseTime(value);
	return ms === null ? undefined : new Timestamp(ms);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "90s", "1h30m", "-1.5h", "250ms", "7d". */
export function readDuration(text: string): Duration | undefined {
	if (text.length > 40) return undefined;
	const negative = text.startsWith("-");
	const rest = negative ? text.slice(1) : text;
	if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(rest)) return undefined;
	let ms = 0;
	for (const [, amount, unit] of rest.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
		ms += Number(amount) * (UNITS[unit as string] as number);
	return new Duration(negative ? -ms : ms);
}

/** As CEL has them, in UTC: months, days of the month and days of the year count from 0, `getDate` from 1. */
export const TIMESTAMP_PARTS: ReadonlyMap<string, (time: Date) => number> = new Map<
	string,
	(time: Date) => number
>([
	["getFullYear", (time) => time.getUTCFullYear()],
	["getMonth", (time) => time.getUTCMonth()],
	["getDate", (time) => time.getUTCDate()],
	["getDayOfMonth", (time) => time.getUTCDate() - 1],
	["getDayOfWeek", (time) => time.getUTCDay()],
	["getDayOfYear", getDayOfYear],
	["getHours", (time) => time.getUTCHours()],
	["getMinutes", (time) => time.getUTCMinutes()],
	["getSeconds", (time) => time.getUTCSeconds()],
	["getMilliseconds", (time) => time.getUTCMilliseconds()],
]);

function getDayOfYear(time: Date): number {
	const start = new Date(time);
	start.setUTCMonth(0, 1);
	return Math.round((time.getTime() - start.getTime()) / 86_400_000);
}

/** The total duration in that unit, not a part of it. */
export const DURATION_PARTS: ReadonlyMap<string, number> = new Map([
	["getHours", 3_600_000],
	["getMinutes", 60_000],
	["getSeconds", 1000],
	["getMilliseconds", 1],
]);
