import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import type { Histogram } from "@tripline/platform/metrics";
import { readHandling, STALL_MS } from "@tripline/web/handling";

const CHECK_MS = 100;

/** Logs when the event loop was blocked for more than a second, with the route being handled. */
export function watchStalls({
	clock,
	log,
	delays,
}: {
	readonly clock: Clock;
	readonly log: Log;
	readonly delays?: Histogram | undefined;
}): { stop(): void } {
	// A monotonic clock: it does not jump and stands still while the machine sleeps.
	let lastCheck = performance.now();
	readHandling(clock.now());
	const timer = setInterval(check, CHECK_MS).unref();
	return { stop: () => clearInterval(timer) };

	function check(): void {
		const now = performance.now();
		const ms = Math.round(now - lastCheck - CHECK_MS);
		lastCheck = now;
		delays?.observe(ms);
		const route = readHandling(clock.now());
		if (ms >= STALL_MS) log("warn", "the event loop stalled", { ms, route });
	}
}
