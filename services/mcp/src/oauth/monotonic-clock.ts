import type { Clock } from "@tripline/platform/clock";

/** Small, but still exact when added to a millisecond timestamp of this century. */
const STEP_MS = 1 / 1024;

/**
 * A strictly increasing clock, so that two events of this process can be ordered even within one millisecond. Across
 * processes the order is as good as their clocks.
 */
export function monotonicClock(clock: Clock): Clock {
	let last = 0;
	return {
		now() {
			last = Math.max(clock.now(), last + STEP_MS);
			return last;
		},
	};
}
