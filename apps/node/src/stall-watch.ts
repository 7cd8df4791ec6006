import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import { lookAtHandling, STALL_MS } from "@tripline/web/handling";

const LOOK_MS = 100;

/** Logs when the event loop was blocked for more than a second, with the route being handled. */
export function watchStalls({ clock, log }: { readonly clock: Clock; readonly log: Log }): { stop(): void } {
	// A monotonic clock: it does not jump and stands still while the machine sleeps.
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
