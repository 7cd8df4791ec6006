/** Milliseconds since the Unix epoch. On Workers it advances only at I/O. */
export interface Clock {
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that follows another one, such as that of a database, which several machines then share. */
export interface FollowingClock extends Clock {
	/** It is this time now, in milliseconds, but for a small error. */
	follow(time: number): void;
}

/** What the answer of a database may be late by. */
const MAX_ERROR_MS = 100;

export function followingClock(own: Clock): FollowingClock {
	let offset = 0;
	return {
		now: () => own.now() + offset,
		follow(time) {
			const found = Math.round(time - own.now());
			if (Math.abs(found - offset) > MAX_ERROR_MS) offset = found;
		},
	};
}

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
