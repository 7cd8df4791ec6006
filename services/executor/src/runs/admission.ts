export interface Admission {
	/** How many callers may wait. */
	readonly queue: { readonly max: number; readonly perNamespace: number };
	/**
	 * For a run whose caller waits. True: run now and call `leave` afterwards. False: refused. A promise: queued; resolves
	 * to false if the signal aborts first.
	 */
	enter(namespace: string, signal?: AbortSignal): boolean | Promise<boolean>;
	/** For a background run: never refused and not counted in the queue. False, at once or later: draining. */
	wait(namespace: string): boolean | Promise<boolean>;
	/** Takes a place only if one is free now. The flag marks a background run, whose caller does not wait. */
	take(namespace: string, isBackground?: boolean): boolean;
	/**
	 * Like `take`, for callers that poll because they must not await another request's promise. A poller keeps its turn
	 * as long as it polls.
	 */
	poll(namespace: string, isBackground?: boolean): boolean;
	/** Frees a place. The flag marks a background run. */
	leave(namespace: string, isBackground?: boolean): void;
	/** The runs that have a place, how many of them are background runs, and those that wait for one. */
	count(): {
		readonly running: number;
		readonly background: number;
		readonly waiting: number;
		readonly waitingBackground: number;
	};
	/** Refuses new runs from now on. Resolves when all running and queued ones have left. */
	drain(): Promise<void>;
}

interface AdmissionLimits {
	/** Maximum number of concurrent runs. */
	readonly atOnce?: number;
	readonly queue?: number;
	/** How many of these places background runs may take. Omitted: all. */
	readonly backgroundPlaces?: number;
	/**
	 * The namespaces belong to different tenants: one may take at most half of the queue and never holds more places than
	 * are free, so that another always finds room.
	 */
	readonly isShared?: boolean;
	now?(): number;
}

interface Waiter {
	readonly namespace: string;
	settle(isAdmitted: boolean): void;
}

/** Milliseconds without a poll after which a poller is considered gone. */
const MAX_POLL_PAUSE_MS = 1_000;

/**
 * Limits concurrent runs. Waiting runs stand in one line per namespace, background runs in a separate one, and the
 * lines are served round-robin. Nothing waits or is allocated while there is room.
 */
export function admission({
	atOnce = 256,
	queue = 1024,
	backgroundPlaces = atOnce,
	isShared = false,
	now = Date.now,
}: AdmissionLimits = {}): Admission {
	const perNamespace = isShared ? Math.max(1, Math.floor(queue / 2)) : queue;
	/** By line key, next turn first. No waiter is in a line while a place that it may take is free. */
	const lines = new Map<string, Set<Waiter>>();
	/** Lines of pollers in the same order, with the time of their last poll. */
	const polls = new Map<string, { readonly namespace: string; readonly time: number }>();
	/** Places by namespace, counted only if `isShared`. */
	const held = new Map<string, number>();
	let queued = 0;
	let running = 0;
	/** How many of the running ones are background runs. */
	let backgroundRuns = 0;
	let isDraining = false;
	let drained: (() => void)[] = [];

	return {
		queue: { max: queue, perNamespace },

		enter(namespace, signal) {
			if (isDraining) return false;
			if (mayHold(namespace)) return hold(namespace);
			const ahead = lines.get(namespace)?.size ?? 0;
			if (queued >= queue || ahead >= perNamespace || signal?.aborted) return false;
			return waitIn(namespace, namespace, signal);
		},

		wait(namespace) {
			if (isDraining) return false;
			return mayHold(namespace, true)
				? hold(namespace, true)
				: waitIn(toBackgroundLine(namespace), namespace);
		},

		take: (namespace, isBackground = false) =>
			!isDraining && mayHold(namespace, isBackground) && hasTurn(null) && hold(namespace, isBackground),

		poll(namespace, isBackground = false) {
			if (isDraining) return false;
			const line = isBackground ? toBackgroundLine(namespace) : namespace;
			if (mayHold(namespace, isBackground) && hasTurn(line)) {
				polls.delete(line);
				return hold(namespace, isBackground);
			}
			polls.set(line, { namespace, time: now() });
			return false;
		},

		leave(namespace, isBackground = false) {
			if (running === 0) throw new Error("leave was called more often than enter");
			running--;
			if (isBackground) backgroundRuns--;
			if (isShared) count(namespace, -1);
			if (lines.size > 0) admitNext();
			resolveDrained();
		},

		count() {
			let all = 0;
			for (const waiters of lines.values()) all += waiters.size;
			return { running, background: backgroundRuns, waiting: queued, waitingBackground: all - queued };
		},

		drain() {
			isDraining = true;
			for (const [line, waiters] of lines) {
				if (isBackgroundLine(line)) for (const waiter of waiters) waiter.settle(false);
			}
			return new Promise((resolve) => {
				drained.push(resolve);
				resolveDrained();
			});
		},
	};

	function mayHold(namespace: string, isBackground = false): boolean {
		if (isBackground && backgroundRuns >= backgroundPlaces) return false;
		const free = atOnce - running;
		return isShared ? (held.get(namespace) ?? 0) < free : free > 0;
	}

	function hold(namespace: string, isBackground = false): true {
		running++;
		if (isBackground) backgroundRuns++;
		if (isShared) count(namespace, 1);
		return true;
	}

	function count(namespace: string, change: 1 | -1): void {
		const places = (held.get(namespace) ?? 0) + change;
		if (places === 0) held.delete(namespace);
		else held.set(namespace, places);
	}

	/** Whether a place is left after the pollers whose turn comes first. Null: after all pollers. */
	function hasTurn(line: string | null): boolean {
		let free = atOnce - running;
		for (const [other, { namespace, time }] of polls) {
			if (other === line) return true;
			if (now() - time > MAX_POLL_PAUSE_MS) polls.delete(other);
			else if (mayHold(namespace, isBackgroundLine(other)) && --free === 0) return false;
		}
		return true;
	}

	function waitIn(line: string, namespace: string, signal?: AbortSignal): Promise<boolean> {
		return new Promise((resolve) => {
			const waiter: Waiter = {
				namespace,
				settle(isAdmitted) {
					signal?.removeEventListener("abort", giveUp);
					remove(line, waiter);
					resolve(isAdmitted);
				},
			};
			const giveUp = () => waiter.settle(false);
			signal?.addEventListener("abort", giveUp);
			const waiters = lines.get(line) ?? new Set();
			lines.set(line, waiters.add(waiter));
			if (!isBackgroundLine(line)) queued++;
		});
	}

	function remove(line: string, waiter: Waiter): void {
		const waiters = lines.get(line);
		waiters?.delete(waiter);
		if (waiters?.size === 0) lines.delete(line);
		if (!isBackgroundLine(line)) queued--;
	}

	/** A line that is moved to the end is visited again in the same loop while there is room. */
	function admitNext(): void {
		for (const [line, waiters] of lines) {
			if (running === atOnce) return;
			const [first] = waiters;
			if (first === undefined || !mayHold(first.namespace, isBackgroundLine(line))) continue;
			lines.delete(line);
			lines.set(line, waiters);
			hold(first.namespace, isBackgroundLine(line));
			first.settle(true);
		}
	}

	/** When nothing runs there is room for everyone, so nothing waits either. */
	function resolveDrained(): void {
		if (running > 0) return;
		for (const resolve of drained) resolve();
		drained = [];
	}
}

/** A namespace never contains a line feed. */
const BACKGROUND_SUFFIX = "\n";
const toBackgroundLine = (namespace: string): string => namespace + BACKGROUND_SUFFIX;
const isBackgroundLine = (line: string): boolean => line.endsWith(BACKGROUND_SUFFIX);
