export interface Hour {
	readonly hour: string;
	readonly success: number;
	readonly failed: number;
}

/** One bar: from its time up to that of the next. */
export interface Bar {
	readonly from: number;
	readonly until: number;
	readonly success: number;
	readonly failed: number;
}

const HOUR_MS = 3_600_000;

/** Hours put together by `per`, so that the bars begin at hours that `per` divides in the reader's zone. */
export function barsOf(
	hours: readonly Hour[],
	per: number,
	hourAt: (time: number) => number = localHour,
): Bar[] {
	const bars: Bar[] = [];
	for (const { hour, success, failed } of hours) {
		const from = Date.parse(hour);
		const last = bars.at(-1);
		if (last === undefined || hourAt(from) % per === 0 || last.until - last.from >= per * HOUR_MS)
			bars.push({ from, until: from + HOUR_MS, success, failed });
		else
			bars[bars.length - 1] = {
				from: last.from,
				until: from + HOUR_MS,
				success: last.success + success,
				failed: last.failed + failed,
			};
	}
	return bars;
}

const localHour = (time: number): number => new Date(time).getHours();

export interface Totals {
	readonly runs: number;
	readonly success: number;
	readonly failed: number;
	/** Null: nothing ran. */
	readonly rate: number | null;
}

export function totalsOf(hours: readonly Hour[]): Totals {
	const success = hours.reduce((sum, each) => sum + each.success, 0);
	const failed = hours.reduce((sum, each) => sum + each.failed, 0);
	const runs = success + failed;
	// Rounded down: it is all of them only when it is.
	return { runs, success, failed, rate: runs === 0 ? null : Math.floor((success / runs) * 1000) / 1000 };
}

/** The number at the top of the scale: a round one with a whole half, at or above the highest bar. */
export function topOf(bars: readonly Bar[]): number {
	const highest = Math.max(0, ...bars.map(({ success, failed }) => success + failed));
	if (highest <= 2) return 2;
	const power = 10 ** Math.floor(Math.log10(highest));
	for (const step of [1, 2, 3, 4, 6, 8, 10]) {
		const top = step * power;
		if (top >= highest && top % 2 === 0) return top;
	}
	return 20 * power;
}

export interface Tick {
	/** The bar at whose left edge it is. */
	readonly index: number;
	readonly at: number;
	/** Left out where there is little room. */
	readonly isMinor: boolean;
}

/** Where the time is written below the bars: each day's first bar, or every fourth hour of one day. */
export function ticksOf(
	bars: readonly Bar[],
	isByDay: boolean,
	hourAt: (time: number) => number = localHour,
): Tick[] {
	return bars.flatMap(({ from }, index) => {
		const hour = hourAt(from);
		if (isByDay) return hour === 0 ? [{ index, at: from, isMinor: false }] : [];
		return hour % 4 === 0 ? [{ index, at: from, isMinor: hour % 8 !== 0 }] : [];
	});
}
