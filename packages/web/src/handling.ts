/** From here on the process stands still rather than being busy. */
export const STALL_MS = 1000;

/**
 * Which route this process handles, as far as that shows without following promises: the one that was begun last. One
 * for all apps of a process. Where nobody looks for stalls, nothing is noted.
 */
const last = { id: 0, route: "", isOver: true, lookedAt: Number.NEGATIVE_INFINITY };

/** What to say when the request is over. While the process stands still the route stays: those that follow only waited. */
export function beginHandling(route: string, now: number): number {
	if (now - last.lookedAt >= STALL_MS) return 0;
	last.route = route;
	last.isOver = false;
	return ++last.id;
}

export function endHandling(id: number): void {
	if (id === last.id) last.isOver = true;
}

/** The route that is handled now, or was since the last look; undefined: there was none. Whoever looks for stalls calls it. */
export function lookAtHandling(now: number): string | undefined {
	const { route } = last;
	if (last.isOver) last.route = "";
	last.lookedAt = now;
	return route === "" ? undefined : route;
}
