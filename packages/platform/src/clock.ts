/** Milliseconds since the Unix epoch. On Workers it advances only at I/O. */
export interface Clock {
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

let lastTime = Number.NaN;
let lastText = "";

/** ISO 8601, UTC. Caches the last result, because under load there are many calls within one millisecond. */
export function toIsoTime(time: number): string {
	if (time !== lastTime) {
		lastText = new Date(time).toISOString();
		lastTime = time;
	}
	return lastText;
}

export const unixSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
