import type { Clock } from "@tripline/platform/clock";

const MINUTE_MS = 60_000;
/** How often the time is read: a timer stops while the machine sleeps and does not follow clock changes. */
const CHECK_MS = 1000;
/** A timer may fire a millisecond early. */
const MARGIN_MS = 5;

/** Calls `tick` now and at the start of every minute, never concurrently. `tick` reports its own failures. */
export function tickEachMinute(clock: Clock, tick: () => Promise<unknown>): { stop(): void } {
	let tickedMinute: number | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isStopped = false;
	void check();

	return {
		stop() {
			isStopped = true;
			clearTimeout(timer);
		},
	};

	async function check(): Promise<void> {
		while (!isStopped && tickedMinute !== toMinute(clock.now())) {
			tickedMinute = toMinute(clock.now());
			await tick().catch(() => {});
		}
		if (isStopped) return;
		const untilNext = MINUTE_MS - (clock.now() % MINUTE_MS) + MARGIN_MS;
		timer = setTimeout(check, Math.min(untilNext, CHECK_MS));
	}
}

const toMinute = (time: number): number => Math.floor(time / MINUTE_MS);
