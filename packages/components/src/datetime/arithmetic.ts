import { TerminalError } from "@tripline/engine/component";
import { instantOf, offsetAt } from "./zone.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Always as long. */
const EXACT = { milliseconds: 1, seconds: 1000, minutes: MINUTE, hours: 60 * MINUTE } as const;
/** As long as the calendar and the zone's clocks make them. */
const CALENDAR = ["days", "weeks", "months", "years"] as const;

export const UNITS = ["milliseconds", "seconds", "minutes", "hours", ...CALENDAR] as const;
export type Unit = (typeof UNITS)[number];
export type Amount = { readonly [unit in Unit]?: number | undefined };

/** Days, weeks, months and years keep the time of day; hours and less are exact. The calendar goes first. */
export function add(instant: number, amount: Amount, zone: string): number {
	const sum = sumOf(instant, amount, zone);
	if (sum >= EARLIEST && sum <= LATEST) return sum;
	throw new TerminalError("the result is outside of the years 1 to 9999");
}

function sumOf(instant: number, amount: Amount, zone: string): number {
	const { years = 0, months = 0, weeks = 0, days = 0 } = amount;
	let sum = instant;
	if (years !== 0 || months !== 0 || weeks !== 0 || days !== 0) {
		const sameDay = addMonths(instant + offsetAt(instant, zone), years * 12 + months);
		const wall = sameDay + (weeks * 7 + days) * DAY;
		// Far off no zone has clocks.
		sum = Math.abs(wall) < 2 * LATEST ? instantOf(wall, zone) : Number.NaN;
	}
	for (const [unit, size] of Object.entries(EXACT)) sum += (amount[unit as keyof typeof EXACT] ?? 0) * size;
	return sum;
}

/**
 * From one instant to the other: of hours and less as they are, of the calendar's units how many whole ones can be
 * added without passing it.
 */
export function difference(from: number, to: number, unit: Unit, zone: string): number {
	if (unit in EXACT) return (to - from) / EXACT[unit as keyof typeof EXACT];
	const sign = to < from ? -1 : 1;
	const passes = (count: number) => sign * (sumOf(from, { [unit]: sign * count }, zone) - to) > 0;
	let count = estimate(from, to, unit);
	while (count > 0 && passes(count)) count--;
	return count === 0 ? 0 : sign * count;
}

/** At least as many as there are, and at most two more. */
function estimate(from: number, to: number, unit: Unit): number {
	const days = Math.abs(to - from) / DAY;
	if (unit === "days") return Math.ceil(days) + 1;
	if (unit === "weeks") return Math.ceil(days / 7) + 1;
	const [start, end] = [new Date(from), new Date(to)];
	const months =
		(end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
	return Math.ceil(Math.abs(months) / (unit === "years" ? 12 : 1)) + 1;
}

/** The same day of another month, or its last if it has no such day. */
function addMonths(wall: number, months: number): number {
	const date = new Date(wall);
	const day = date.getUTCDate();
	date.setUTCDate(1);
	date.setUTCMonth(date.getUTCMonth() + months);
	const lastDay = new Date(date);
	lastDay.setUTCMonth(date.getUTCMonth() + 1, 0);
	date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
	return date.getTime();
}
