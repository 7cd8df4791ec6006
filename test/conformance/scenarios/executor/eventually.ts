import { setTimeout as wait } from "node:timers/promises";

/** Long, because other tests run at the same time; a test that passes does not wait for it. */
const PATIENCE_MS = 30_000;

/** Repeats `look` until it no longer throws; when its patience ends the error is thrown. */
export async function eventually<T>(look: () => Promise<T>): Promise<T> {
	const until = Date.now() + PATIENCE_MS;
	for (;;) {
		try {
			return await look();
		} catch (error) {
			if (Date.now() > until) throw error;
		}
		await wait(10);
	}
}
