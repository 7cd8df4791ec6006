/** Milliseconds since the Unix epoch. On Workers the value stands still between I/O. */
export interface Clock {
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const unixSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
