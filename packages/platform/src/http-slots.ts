/** As many may wait as this many times those that run. */
const WAITING_FACTOR = 16;

export interface Waiter {
	start(): void;
}

/** Keeps how many calls run at the same time to each host. */
export interface HostSlots {
	/** Starts it at once or as soon as there is room, once. False if too many wait already. */
	enter(host: string, waiter: Waiter): boolean;
	/** A waiter that need not be started any more; it may be on its way. */
	forget(host: string, waiter: Waiter): void;
	/** One that was started has ended. */
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
			// Not from here: if each fails at once, the stack would grow with their number.
			queueMicrotask(() => next.start());
		},
	};
}
