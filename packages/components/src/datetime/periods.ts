import { checkRange } from "./arithmetic.ts";
import { findFirstInstant, findLastInstant, getOffset } from "./zone.ts";

const DAY = 86_400_000;

export const PERIODS = ["day", "week", "month", "quarter", "year"] as const;
export type Period = (typeof PERIODS)[number];

/** The first instant whose local date is in the same period. Where midnight is skipped, the day starts later. */
export function findStart(instant: number, period: Period, zone: string): number {
	return checkRange(findFirstInstant(floor(instant + getOffset(instant, zone), period), zone));
}

/** The last millisecond whose local date is in the same period. */
export function findEnd(instant: number, period: Period, zone: string): number {
	const midnight = next(floor(instant + getOffset(instant, zone), period), period);
	const last = findLastInstant(midnight, zone) - 1;
	// If midnight occurs twice, the clock was set back either to the day before or within the new day.
	const isBefore = last + getOffset(last, zone) < midnight;
	return checkRange(isBefore ? last : findFirstInstant(midnight, zone) - 1);
}

/** Truncates local time, encoded as if it were UTC. Weeks start on Monday. */
function floor(wall: number, period: Period): number {
	const day = Math.floor(wall / DAY) * DAY;
	if (period === "day") return day;
	const date = new Date(day);
	if (period === "week") return day - getWeekday(day) * DAY;
	date.setUTCDate(1);
	if (period === "quarter") date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % 3));
	if (period === "year") date.setUTCMonth(0);
	return date.getTime();
}

function next(start: number, period: Period): number {
	if (period === "day") return start + DAY;
	if (period === "week") return start + 7 * DAY;
	const date = new Date(start);
	date.setUTCMonth(date.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[period]);
	return date.getTime();
}

/** From 0 for Monday to 6 for Sunday. */
const getWeekday = (day: number): number => (new Date(day).getUTCDay() + 6) % 7;

/** The ISO 8601 week: a week belongs to the year in which its Thursday is. */
export function getWeek(instant: number, zone: string): { week: number; week_year: number; iso: string } {
	const wall = instant + getOffset(instant, zone);
	const thursday = floor(wall, "week") + 3 * DAY;
	const week = Math.floor((thursday - floor(thursday, "year")) / (7 * DAY)) + 1;
	const week_year = new Date(thursday).getUTCFullYear();
	const iso = `${String(week_year).padStart(4, "0")}-W${String(week).padStart(2, "0")}-${getWeekday(wall) + 1}`;
	return { week, week_year, iso };
}
