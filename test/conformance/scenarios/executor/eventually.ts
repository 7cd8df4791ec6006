import { setTimeout as wait } from "node:timers/promises";

/** Long, because other tests run at the same time; a test that passes does not wait for it. */
const PATIENCE_MS = 60_000;
/** The pauses grow, so that looking does not take the time that the service needs. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 60;

/** Repeats `look` until it no longer throws; when its patience ends the error is thrown. */
export async function eventually<T>(look: () => Promise<T>): Promise<T> {
	const until = Date.now() + PATIENCE_MS;
	for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
		try {
			return await look();
		} catch (error) {
			if (Date.now() > until) throw error;
		}
		await wait(pauseMs);
	}
}
