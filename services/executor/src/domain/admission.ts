export interface Admission {
	/** How many callers may wait. */
	readonly queue: { readonly most: number; readonly perNamespace: number };
	/**
	 * For a caller who waits. True: run now, and call `leave` afterwards. False: refused. A promise: queued; false if the
	 * caller gave up through its signal first.
	 */
	enter(namespace: string, signal?: AbortSignal): boolean | Promise<boolean>;
	/** For what nobody waits for: never refused, and not counted in the queue. False, at once or later: draining. */
	wait(namespace: string): boolean | Promise<boolean>;
	/** Only if there is a place now; patient: for what nobody waits for. */
	take(namespace: string, isPatient?: boolean): boolean;
	/**
	 * The same for who looks again until there is one, where no promise of another may be waited for: its turn is kept
	 * while it does.
	 */
	look(namespace: string, isPatient?: boolean): boolean;
	/** Patient: a place that was had for what nobody waits for. */
	leave(namespace: string, isPatient?: boolean): void;
	/** Refuses newcomers from now on; settled once all that runs or waits has left. */
	drain(): Promise<void>;
}

interface AdmissionLimits {
	/** Runs at a time. */
	readonly atOnce?: number;
	readonly queue?: number;
	/** Of the places at a time those that what nobody waits for may take; left out: all. */
	readonly patientPlaces?: number;
	/**
	 * The namespaces belong to different tenants: one takes at most half of the queue, and holds no more places than are
	 * free, so that another always finds room.
	 */
	readonly isShared?: boolean;
	now?(): number;
}

interface Waiter {
	readonly namespace: string;
	settle(isAdmitted: boolean): void;
}

/** Milliseconds after which who has not looked again is taken to be gone. */
const MAX_LOOK_PAUSE = 1_000;

/**
 * Runs at a time. Who waits stands in line with others of its namespace, callers apart from what nobody waits for, and
 * the lines take turns. Nothing waits or is allocated while there is room.
 */
export function admission({
	atOnce = 256,
	queue = 1024,
	patientPlaces = atOnce,
	isShared = false,
	now = Date.now,
}: AdmissionLimits = {}): Admission {
	const perNamespace = isShared ? Math.max(1, Math.floor(queue / 2)) : queue;
	/** By their keys, whose turn it is first. Nobody waits in them for a place that is free and may be taken. */
	const lines = new Map<string, Set<Waiter>>();
	/** Lines of those who look, in the same order, and when one of them last did. */
	const looks = new Map<string, { readonly namespace: string; readonly time: number }>();
	/** Places by namespace; counted only where they are shared. */
	const held = new Map<string, number>();
	let queued = 0;
	let running = 0;
	/** Of those the ones that nobody waits for. */
	let patient = 0;
	let isDraining = false;
	let drained: (() => void)[] = [];

	return {
		queue: { most: queue, perNamespace },

		enter(namespace, signal) {
			if (isDraining) return false;
			if (mayHold(namespace)) return hold(namespace);
			const ahead = lines.get(namespace)?.size ?? 0;
			if (queued >= queue || ahead >= perNamespace || signal?.aborted) return false;
			return waitIn(namespace, namespace, signal);
		},

		wait(namespace) {
			if (isDraining) return false;
			return mayHold(namespace, true) ? hold(namespace, true) : waitIn(patientLine(namespace), namespace);
		},

		take: (namespace, isPatient = false) =>
			!isDraining && mayHold(namespace, isPatient) && isTurnOf(null) && hold(namespace, isPatient),

		look(namespace, isPatient = false) {
			if (isDraining) return false;
			const line = isPatient ? patientLine(namespace) : namespace;
			if (mayHold(namespace, isPatient) && isTurnOf(line)) {
				looks.delete(line);
				return hold(namespace, isPatient);
			}
			looks.set(line, { namespace, time: now() });
			return false;
		},

		leave(namespace, isPatient = false) {
			if (running === 0) throw new Error("leave was called more often than enter");
			running--;
			if (isPatient) patient--;
			if (isShared) count(namespace, -1);
			if (lines.size > 0) admitNext();
			tellDrained();
		},

		drain() {
			isDraining = true;
			for (const [line, waiters] of lines) {
				if (isOfPatient(line)) for (const waiter of waiters) waiter.settle(false);
			}
			return new Promise((resolve) => {
				drained.push(resolve);
				tellDrained();
			});
		},
	};

	function mayHold(namespace: string, isPatient = false): boolean {
		if (isPatient && patient >= patientPlaces) return false;
		const free = atOnce - running;
		return isShared ? (held.get(namespace) ?? 0) < free : free > 0;
	}

	function hold(namespace: string, isPatient = false): true {
		running++;
		if (isPatient) patient++;
		if (isShared) count(namespace, 1);
		return true;
	}

	function count(namespace: string, change: 1 | -1): void {
		const places = (held.get(namespace) ?? 0) + change;
		if (places === 0) held.delete(namespace);
		else held.set(namespace, places);
	}

	/** Whether a place is left once those who look and whose turn comes before have had theirs; null: all of them. */
	function isTurnOf(line: string | null): boolean {
		let free = atOnce - running;
		for (const [other, { namespace, time }] of looks) {
			if (other === line) return true;
			if (now() - time > MAX_LOOK_PAUSE) looks.delete(other);
			else if (mayHold(namespace, isOfPatient(other)) && --free === 0) return false;
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
			if (!isOfPatient(line)) queued++;
		});
	}

	function remove(line: string, waiter: Waiter): void {
		const waiters = lines.get(line);
		waiters?.delete(waiter);
		if (waiters?.size === 0) lines.delete(line);
		if (!isOfPatient(line)) queued--;
	}

	/** A line that is put to the end comes up again in the same loop, as long as there is room. */
	function admitNext(): void {
		for (const [line, waiters] of lines) {
			if (running === atOnce) return;
			const [first] = waiters;
			if (first === undefined || !mayHold(first.namespace, isOfPatient(line))) continue;
			lines.delete(line);
			lines.set(line, waiters);
			hold(first.namespace, isOfPatient(line));
			first.settle(true);
		}
	}

	/** With nothing running there is room for everybody, so then nobody waits either. */
	function tellDrained(): void {
		if (running > 0) return;
		for (const resolve of drained) resolve();
		drained = [];
	}
}

/** A line feed is in no namespace. */
const PATIENT = "\n";
const patientLine = (namespace: string): string => namespace + PATIENT;
const isOfPatient = (line: string): boolean => line.endsWith(PATIENT);
