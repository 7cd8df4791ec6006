import type { Clock } from "@tripline/platform/clock";

export interface RateLimit {
	/** Null if allowed, else the seconds until the next call is allowed. Refused calls do not count. */
	take(key: string): number | null;
}

const MINUTE_MS = 60_000;
/** In each of the two generations, so 100,000 in all. */
const MAX_KEYS = 50_000;

/**
 * A sliding window: calls of the previous window count less as the current one progresses. All keys share two
 * generations of counts, so that no key has to expire on its own and the oldest keys are dropped first.
 */
export function rateLimit({ perMinute, clock }: { perMinute: number; clock: Clock }): RateLimit {
	if (perMinute === 0) return { take: () => null };
	let started = Number.NEGATIVE_INFINITY;
	let current = new Map<string, number>();
	let previous = new Map<string, number>();

	return {
		take(key) {
			const now = clock.now();
			advance(now);
			const elapsed = now - started;
			const before = previous.get(key) ?? 0;
			const count = current.get(key) ?? 0;
			// Integers (milliseconds times calls), so nothing is rounded.
			if (before * (MINUTE_MS - elapsed) + (count + 1) * MINUTE_MS > perMinute * MINUTE_MS)
				return computeWaitSeconds({ perMinute, before, count, elapsed });
			if (count === 0 && current.size >= MAX_KEYS) startWindow(now);
			current.set(key, count + 1);
			return null;
		},
	};

	function advance(now: number): void {
		const elapsed = now - started;
		if (elapsed >= 0 && elapsed < MINUTE_MS) return;
		if (elapsed >= 2 * MINUTE_MS) {
			startWindow(now);
			previous = new Map();
		} else if (elapsed >= MINUTE_MS) startWindow(started + MINUTE_MS);
		// The clock was set back.
		else started = now;
	}

	function startWindow(start: number): void {
		previous = current;
		current = new Map();
		started = start;
	}
}

function computeWaitSeconds(use: {
	perMinute: number;
	before: number;
	count: number;
	elapsed: number;
}): number {
	const { perMinute, before, count, elapsed } = use;
	// How many milliseconds into a window one more call fits, given the counts of the previous and the current window.
	const fits = (older: number, newer: number): number =>
		older === 0 ? 0 : MINUTE_MS - ((perMinute - 1 - newer) * MINUTE_MS) / older;
	const wait =
		count < perMinute ? fits(before, count) - elapsed : MINUTE_MS - elapsed + Math.max(0, fits(count, 0));
	return Math.max(1, Math.ceil(Math.ceil(wait) / 1000));
}
