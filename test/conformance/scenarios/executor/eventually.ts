import { setTimeout as wait } from "node:timers/promises";

const PATIENCE_MS = 5_000;

/** Repeats `look` until it no longer throws; after five seconds the error is thrown. */
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
