import type { RunLimit } from "../domain/run-limits.ts";
import { RunStopped } from "../durable/run.ts";
import type { Admission } from "./admission.ts";
import { type Executions, type Finished, getOwner, type RunRequest } from "./execute.ts";
import type { RunLeases } from "./leases.ts";
import { busy } from "./refusals.ts";

const POLL_MS = 100;

export type Runs = ReturnType<typeof admittedRuns>;

/** Executes runs within the process's limits. */
export function admittedRuns(deps: {
	readonly admission: Admission;
	readonly execute: Executions["execute"];
	readonly leases: RunLeases;
	/**
	 * How many callers may wait by polling, in total and per namespace. On Workers a request must not await a promise that
	 * another request resolves, so the admission's lines cannot be used.
	 */
	readonly looking?: Queue | undefined;
}) {
	const { admission, execute, leases, looking: polling } = deps;
	const pollers = new Map<string, number>();
	let pollCount = 0;
	let isClosing = false;

	return {
		/** For a run whose caller waits. Throws if the queue is full. */
		runNow(request: RunRequest): Finished | Promise<Finished> {
			const { getRunLimit } = request.runnable;
			if (getRunLimit !== null)
				return enterLimited(request, getRunLimit(request.trigger)).then(() => run(request, false));
			const entered = enterPlace(getOwner(request));
			return entered === true ? run(request, false) : entered.then(() => run(request, false));
		},

		/** Takes the place, and the lease, of a run whose caller waits. Throws if the queue is full. */
		async enter(request: RunRequest): Promise<void> {
			const { getRunLimit } = request.runnable;
			if (getRunLimit !== null) await enterLimited(request, getRunLimit(request.trigger));
			else await enterPlace(getOwner(request));
		},

		/** Takes a place for a background run if one is free. The holder must use it with `run` or give it back. */
		takePlace: (namespace: string): boolean => admission.take(namespace, true),

		placeFor: waitForPlace,

		leavePlace: (namespace: string): void => admission.leave(namespace, true),

		/** Gives back the place of a stored run that does not start, and its lease. */
		leave: (request: RunRequest): void => leave(request, getOwner(request), isInBackground(request)),

		/** Runs in a place that was already taken, with a lease if it needs one, and frees both at the end. */
		run: (request: RunRequest): Finished | Promise<Finished> => run(request, isInBackground(request)),

		/** Starts no further runs. Resolves when every run has ended. */
		close(): Promise<void> {
			isClosing = true;
			leases.close();
			return admission.drain();
		},
	};

	/** The lease comes first: a run that waits for its workflow must not keep others from running. */
	async function enterLimited(request: RunRequest, limit: RunLimit): Promise<void> {
		await leases.enter(request, limit);
		const namespace = getOwner(request);
		let hasPlace = false;
		let mayRun = false;
		try {
			const entered = enterPlace(namespace);
			if (entered !== true) await entered;
			hasPlace = true;
			// The lease may have ended while the run waited for its place.
			mayRun = entered === true || (await leases.take(request, limit)) !== null;
		} finally {
			if (hasPlace && !mayRun) admission.leave(namespace);
			if (!mayRun) leases.release(request);
		}
		if (!mayRun) throw busy();
	}

	/** Throws if the queue is full. */
	function enterPlace(namespace: string): true | Promise<unknown> {
		if (polling !== undefined) return admission.take(namespace) || pollCounted(namespace, polling);
		const entered = admission.enter(namespace);
		if (entered === false) throw busy();
		return entered;
	}

	async function pollCounted(namespace: string, { max, perNamespace }: Queue): Promise<void> {
		const ahead = pollers.get(namespace) ?? 0;
		if (pollCount >= max || ahead >= perNamespace) throw busy();
		pollCount++;
		pollers.set(namespace, ahead + 1);
		const isAdmitted = await pollPlace(namespace, false).finally(() => {
			pollCount--;
			const left = (pollers.get(namespace) ?? 1) - 1;
			if (left === 0) pollers.delete(namespace);
			else pollers.set(namespace, left);
		});
		if (!isAdmitted) throw busy();
	}

	/** Waits for a place. False if the process is shutting down. */
	function waitForPlace(namespace: string): boolean | Promise<boolean> {
		return polling === undefined ? admission.wait(namespace) : pollPlace(namespace, true);
	}

	async function pollPlace(namespace: string, isBackground: boolean): Promise<boolean> {
		while (!admission.poll(namespace, isBackground)) {
			if (isClosing) return false;
			await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		}
		return true;
	}

	function run(request: RunRequest, isBackground: boolean): Finished | Promise<Finished> {
		const namespace = getOwner(request);
		let finished: Finished | Promise<Finished> | undefined;
		try {
			finished = execute(request);
			return finished instanceof Promise
				? finished.then(
						(ended) => {
							leave(request, namespace, isBackground);
							return ended;
						},
						(error: unknown) => {
							// A run that continues elsewhere keeps its lease.
							if (error instanceof RunStopped) admission.leave(namespace, isBackground);
							else leave(request, namespace, isBackground);
							throw error;
						},
					)
				: finished;
		} finally {
			if (!(finished instanceof Promise)) leave(request, namespace, isBackground);
		}
	}

	function leave(request: RunRequest, namespace: string, isBackground: boolean): void {
		admission.leave(namespace, isBackground);
		if (request.runnable.getRunLimit !== null) leases.release(request);
	}
}

const isInBackground = ({ isWaitedFor }: RunRequest): boolean => isWaitedFor !== true;

type Queue = Admission["queue"];
