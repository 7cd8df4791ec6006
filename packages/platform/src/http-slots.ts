/** Maximum number of waiting calls per running call. */
const WAITING_FACTOR = 16;

export interface Waiter {
	start(): void;
}

/** Limits concurrent calls per host. */
export interface HostSlots {
	/** Starts the waiter once, now or when there is room. Returns false if too many are waiting. */
	enter(host: string, waiter: Waiter): boolean;
	/** Removes a waiter that need not start any more; its start may already be scheduled. */
	forget(host: string, waiter: Waiter): void;
	/** Releases the slot of a waiter that has ended. */
	leave(host: string): void;
}

export function hostSlots(perHost: number): HostSlots {
	const hosts = new Map<string, { running: number; readonly waiting: Set<Waiter> }>();
	return {
		enter(host, waiter) {
			const at = hosts.get(host) ?? { running: 0, waiting: new Set() };
			hosts.set(host, at);
			if (at.running < perHost) {
				at.running++;
				waiter.start();
				return true;
			}
			if (at.waiting.size >= perHost * WAITING_FACTOR) return false;
			at.waiting.add(waiter);
			return true;
		},
		forget(host, waiter) {
			hosts.get(host)?.waiting.delete(waiter);
		},
		leave(host) {
			const at = hosts.get(host);
			if (at === undefined) return;
			const [next] = at.waiting;
			if (next === undefined) {
				if (--at.running === 0) hosts.delete(host);
				return;
			}
			at.waiting.delete(next);
			// Deferred: if each waiter failed immediately, direct calls would nest as deep as the queue is long.
			queueMicrotask(() => next.start());
		},
	};
}
