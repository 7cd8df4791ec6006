import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import { lookAtHandling, STALL_MS } from "@tripline/web/handling";

const LOOK_MS = 100;

/** Tells of every moment in which the process did nothing else for more than a second, and what it was handling then. */
export function watchStalls({ clock, log }: { readonly clock: Clock; readonly log: Log }): { stop(): void } {
	// Of this clock, because it neither jumps nor runs while the machine sleeps.
	let looked = performance.now();
	lookAtHandling(clock.now());
	const timer = setInterval(look, LOOK_MS).unref();
	return { stop: () => clearInterval(timer) };

	function look(): void {
		const now = performance.now();
		const ms = Math.round(now - looked - LOOK_MS);
		looked = now;
		const route = lookAtHandling(clock.now());
		if (ms >= STALL_MS) log("warn", "the event loop stalled", { ms, route });
	}
}
