export interface Admission {
	/**
	 * True: run now, and call `leave` afterwards. False: refused. A promise: queued; false if the caller gave up through
	 * its signal first.
	 */
	enter(namespace: string, signal?: AbortSignal): boolean | Promise<boolean>;
	leave(): void;
	/** Refuses newcomers from now on; settled once all that runs or waits has left. */
	drain(): Promise<void>;
}

interface AdmissionLimits {
	/** Runs at a time. */
	readonly atOnce?: number;
	readonly queue?: number;
	/** How much of the queue one namespace may take; default half, so that another always finds room. */
	readonly queuePerNamespace?: number;
}

interface Waiter {
	readonly namespace: string;
	admit(): void;
}

/** Runs at a time, with a queue in the order of arrival. Nothing waits or is allocated while there is room. */
export function admission({ atOnce = 256, queue = 1024, ...limits }: AdmissionLimits = {}): Admission {
	const queuePerNamespace = limits.queuePerNamespace ?? Math.max(1, Math.floor(queue / 2));
	const waiting = new Set<Waiter>();
	const waitingOf = new Map<string, number>();
	let running = 0;
	let draining = false;
	let drained: (() => void)[] = [];

	return {
		enter(namespace, signal) {
			if (draining) return false;
			// While anyone waits, every slot is taken: one that comes free is handed on.
			if (running < atOnce) {
				running++;
				return true;
			}
			if (waiting.size >= queue || (waitingOf.get(namespace) ?? 0) >= queuePerNamespace) return false;
			return signal?.aborted ? false : wait(namespace, signal);
		},

		leave() {
			if (running === 0) throw new Error("leave was called more often than enter");
			const [first] = waiting;
			if (first !== undefined) first.admit();
			else running--;
			tellDrained();
		},

		drain() {
			draining = true;
			return new Promise((resolve) => {
				drained.push(resolve);
				tellDrained();
			});
		},
	};

	function wait(namespace: string, signal: AbortSignal | undefined): Promise<boolean> {
		return new Promise((resolve) => {
			const settle = (admitted: boolean) => {
				signal?.removeEventListener("abort", giveUp);
				remove(waiter);
				resolve(admitted);
			};
			const giveUp = () => settle(false);
			const waiter: Waiter = { namespace, admit: () => settle(true) };
			signal?.addEventListener("abort", giveUp);
			waiting.add(waiter);
			waitingOf.set(namespace, (waitingOf.get(namespace) ?? 0) + 1);
		});
	}

	function remove(waiter: Waiter): void {
		waiting.delete(waiter);
		const others = (waitingOf.get(waiter.namespace) ?? 0) - 1;
		if (others === 0) waitingOf.delete(waiter.namespace);
		else waitingOf.set(waiter.namespace, others);
	}

	/** A waiter holds its place only while every slot is taken, so nothing running means nothing waiting. */
	function tellDrained(): void {
		if (running > 0) return;
		for (const resolve of drained) resolve();
		drained = [];
	}
}
