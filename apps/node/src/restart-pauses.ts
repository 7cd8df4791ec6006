/** A process that ends earlier after it was ready has failed to start again. */
const SHORT_LIFE_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/** How long to wait before a process is started again: not at all, unless it ends early again and again. */
export function restartPauses(): { next(livedMs: number): number } {
	let shortLives = 0;
	return {
		next(livedMs) {
			shortLives = livedMs < SHORT_LIFE_MS ? shortLives + 1 : 0;
			return shortLives < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (shortLives - 2), MAX_PAUSE_MS);
		},
	};
}
