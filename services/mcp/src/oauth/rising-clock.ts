import type { Clock } from "@tripline/platform/clock";

/** Small, and still exact beside the milliseconds of this century. */
const STEP = 1 / 1024;

/**
 * Never tells the same time twice, so that it says which of two moments of this process was first even within one
 * millisecond. Beside another process's it is as good as the clocks are.
 */
export function risingClock(clock: Clock): Clock {
	let last = 0;
	return {
		now() {
			last = Math.max(clock.now(), last + STEP);
			return last;
		},
	};
}
