import { setTimeout as wait } from "node:timers/promises";

const PATIENCE_MS = 5_000;

/** What `look` finds once it does not throw any more; after five seconds what it throws. */
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
