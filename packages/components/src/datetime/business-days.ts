const DAY = 86_400_000;
/** Days from the Unix epoch, a Thursday, to a Monday. */
const MONDAY = 4;

/** Sorted days since the epoch, without weekends and repetitions. */
export type Holidays = readonly number[];

/** Dates as YYYY-MM-DD. */
export const readHolidays = (dates: readonly string[]): Holidays =>
	[...new Set(dates.map((date) => Date.parse(`${date}T00:00:00Z`) / DAY))]
		.filter((day) => getWeekday(day) < 5)
		.sort((a, b) => a - b);

/** The day that many business days later, or earlier if the count is negative. The day itself is not counted. */
export function addBusinessDays(day: number, count: number, holidays: Holidays): number {
	if (count === 0) return day;
	const most = Math.ceil(((Math.abs(count) + holidays.length) * 7) / 5) + 7;
	if (count > 0) {
		const wanted = countUpTo(day, holidays) + count;
		return findLeast(day, day + most, (at) => countUpTo(at, holidays) >= wanted);
	}
	const wanted = countUpTo(day - 1, holidays) + count;
	return findLeast(day - most, day, (at) => countUpTo(at, holidays) > wanted);
}

/** How many business days lie between two days; the first is not counted. */
export const countBusinessDays = (from: number, to: number, holidays: Holidays): number =>
	countUpTo(to, holidays) - countUpTo(from, holidays);

/** The least number above `low` and up to `high` for which the condition holds; it must hold for `high`. */
function findLeast(low: number, high: number, holds: (at: number) => boolean): number {
	let [below, found] = [low, high];
	while (found - below > 1) {
		const middle = Math.floor((below + found) / 2);
		if (holds(middle)) found = middle;
		else below = middle;
	}
	return found;
}

/** Business days up to and including a day, from an arbitrary start. */
function countUpTo(day: number, holidays: Holidays): number {
	const weeks = Math.floor((day - MONDAY) / 7);
	return weeks * 5 + Math.min(getWeekday(day) + 1, 5) - countHolidays(day, holidays);
}

function countHolidays(day: number, holidays: Holidays): number {
	let [low, high] = [0, holidays.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((holidays[middle] as number) <= day) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** From 0 for Monday to 6 for Sunday. */
const getWeekday = (day: number): number => (((day - MONDAY) % 7) + 7) % 7;
