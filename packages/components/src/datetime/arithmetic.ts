import { TerminalError } from "@tripline/engine/terminal-error";
import { addBusinessDays, countBusinessDays, type Holidays } from "./business-days.ts";
import { getOffset, toInstant } from "./zone.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Units of fixed length. */
const EXACT = { milliseconds: 1, seconds: 1000, minutes: MINUTE, hours: 60 * MINUTE } as const;
/** Units whose length depends on the calendar and the time zone. */
const CALENDAR = ["days", "weeks", "months", "years", "business_days"] as const;

export const UNITS = ["milliseconds", "seconds", "minutes", "hours", ...CALENDAR] as const;
export type Unit = (typeof UNITS)[number];
export type Amount = { readonly [unit in Unit]?: number | undefined };

/** Where and by which holidays the calendar is read. */
export interface Calendar {
	readonly zone: string;
	readonly holidays: Holidays;
}

/**
 * Days, business days, weeks, months and years keep the time of day; hours and smaller units are exact. Years, months,
 * weeks and days are added first, then business days, then the exact units.
 */
export function add(instant: number, amount: Amount, calendar: Calendar): number {
	return checkRange(addUnchecked(instant, amount, calendar));
}

export function checkRange(instant: number): number {
	if (instant >= EARLIEST && instant <= LATEST) return instant;
	throw new TerminalError("the result is outside the years 1 to 9999");
}

function addUnchecked(instant: number, amount: Amount, { zone, holidays }: Calendar): number {
	const { years = 0, months = 0, weeks = 0, days = 0, business_days = 0 } = amount;
	let sum = instant;
	if (years !== 0 || months !== 0 || weeks !== 0 || days !== 0 || business_days !== 0) {
		const sameDay = addMonths(instant + getOffset(instant, zone), years * 12 + months);
		let wall = sameDay + (weeks * 7 + days) * DAY;
		if (business_days !== 0) {
			const day = Math.floor(wall / DAY);
			wall += (addBusinessDays(day, business_days, holidays) - day) * DAY;
		}
		// Far outside the supported range there are no time zone rules.
		sum = Math.abs(wall) < 2 * LATEST ? toInstant(wall, zone) : Number.NaN;
	}
	for (const [unit, size] of Object.entries(EXACT)) sum += (amount[unit as keyof typeof EXACT] ?? 0) * size;
	return sum;
}

/**
 * The difference between two instants: exact for hours and smaller units; for calendar units the number of whole units
 * that can be added to `from` without passing `to`.
 */
export function countDifference(from: number, to: number, unit: Unit, calendar: Calendar): number {
	if (unit in EXACT) return (to - from) / EXACT[unit as keyof typeof EXACT];
	const sign = to < from ? -1 : 1;
	const passes = (count: number) => sign * (addUnchecked(from, { [unit]: sign * count }, calendar) - to) > 0;
	let count = estimate(from, to, unit, calendar);
	while (count > 0 && passes(count)) count--;
	return count === 0 ? 0 : sign * count;
}

/** An upper bound that is at most two too high. */
function estimate(from: number, to: number, unit: Unit, { zone, holidays }: Calendar): number {
	const days = Math.abs(to - from) / DAY;
	if (unit === "days") return Math.ceil(days) + 1;
	if (unit === "weeks") return Math.ceil(days / 7) + 1;
	if (unit === "business_days") {
		const [first, last] = [from, to].map((at) => Math.floor((at + getOffset(at, zone)) / DAY)) as [
			number,
			number,
		];
		return Math.abs(countBusinessDays(first, last, holidays)) + 1;
	}
	const [start, end] = [new Date(from), new Date(to)];
	const months =
		(end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
	return Math.ceil(Math.abs(months) / (unit === "years" ? 12 : 1)) + 1;
}

/** The same day of another month, or that month's last day if it is shorter. */
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
