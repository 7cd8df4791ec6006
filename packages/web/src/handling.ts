/** From this delay on, the event loop counts as stalled rather than busy. */
export const STALL_MS = 1000;

/**
 * The route whose handling began last: the best guess at what the process is doing without tracking promises. Shared by
 * all apps of a process. Nothing is recorded unless a stall detector is running.
 */
const last = { id: 0, route: "", isOver: true, lookedAt: Number.NEGATIVE_INFINITY };

/** Returns the id to pass to `endHandling`. During a stall the route is kept: later requests were only waiting. */
export function beginHandling(route: string, now: number): number {
	if (now - last.lookedAt >= STALL_MS) return 0;
	last.route = route;
	last.isOver = false;
	return ++last.id;
}

export function endHandling(id: number): void {
	if (id === last.id) last.isOver = true;
}

/** The route handled now or since the last call, or undefined. Called by the stall detector. */
export function readHandling(now: number): string | undefined {
	const { route } = last;
	if (last.isOver) last.route = "";
	last.lookedAt = now;
	return route === "" ? undefined : route;
}
