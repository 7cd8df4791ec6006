export interface Hour {
	readonly hour: string;
	readonly success: number;
	readonly failed: number;
}

/** A bar of the chart: from its time to that of the next bar. */
export interface Bar {
	readonly from: number;
	readonly until: number;
	readonly success: number;
	readonly failed: number;
}

const HOUR_MS = 3_600_000;

/** Groups hours into bars of `per` hours. Bars start at multiples of `per` in the user's time zone. */
export function buildBars(
	hours: readonly Hour[],
	per: number,
	hourAt: (time: number) => number = getLocalHour,
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

const getLocalHour = (time: number): number => new Date(time).getHours();

export interface Totals {
	readonly runs: number;
	readonly success: number;
	readonly failed: number;
	/** Null if there were no runs. */
	readonly rate: number | null;
}

export function sumRuns(hours: readonly Hour[]): Totals {
	const success = hours.reduce((sum, each) => sum + each.success, 0);
	const failed = hours.reduce((sum, each) => sum + each.failed, 0);
	const runs = success + failed;
	// Rounded down, so that 100% means that no run failed.
	return { runs, success, failed, rate: runs === 0 ? null : Math.floor((success / runs) * 1000) / 1000 };
}

/** Top of the scale: a round, even number at or above the highest bar. */
export function findScaleTop(bars: readonly Bar[]): number {
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
	/** Index of the bar whose left edge has the tick. */
	readonly index: number;
	readonly at: number;
	/** Hidden if there is little room. */
	readonly isMinor: boolean;
}

/** Tick labels below the bars: the first bar of each day, or every fourth hour of a single day. */
export function buildTicks(
	bars: readonly Bar[],
	isByDay: boolean,
	hourAt: (time: number) => number = getLocalHour,
): Tick[] {
	return bars.flatMap(({ from }, index) => {
		const hour = hourAt(from);
		if (isByDay) return hour === 0 ? [{ index, at: from, isMinor: false }] : [];
		return hour % 4 === 0 ? [{ index, at: from, isMinor: hour % 8 !== 0 }] : [];
	});
}
