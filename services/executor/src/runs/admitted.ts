import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { Admission } from "./admission.ts";
import type { Executions, Finished, RunRequest } from "./execute.ts";

const POLL_MS = 100;

export type Runs = ReturnType<typeof admittedRuns>;

/** Executes runs within the process's limits. */
export function admittedRuns(deps: {
	readonly admission: Admission;
	readonly execute: Executions["execute"];
	/**
	 * How many callers may wait by polling, in total and per namespace. On Workers a request must not await a promise that
	 * another request resolves, so the admission's lines cannot be used.
	 */
	readonly looking?: { readonly max: number; readonly perNamespace: number } | undefined;
}) {
	const { admission, execute, looking: polling } = deps;
	const pollers = new Map<string, number>();
	let pollCount = 0;
	let isClosing = false;

	return {
		/** For a run whose caller waits. Throws if the queue is full. */
		runNow(request: RunRequest): Finished | Promise<Finished> {
			const namespace = getOwner(request);
			if (polling !== undefined) return admission.take(namespace) ? run(request, false) : pollAndRun(request);
			const entered = admission.enter(namespace);
			if (entered === true) return run(request, false);
			if (entered === false) throw busy();
			return entered.then(() => run(request, false));
		},

		/** Takes a place for a background run if one is free. The holder must use it with `run` or give it back. */
		takePlace: (namespace: string): boolean => admission.take(namespace, true),

		placeFor: waitForPlace,

		leavePlace: (namespace: string): void => admission.leave(namespace, true),

		/** Runs in a place that was already taken, and frees it at the end. */
		run: (request: RunRequest): Finished | Promise<Finished> => run(request, true),

		/** Starts no further runs. Resolves when every run has ended. */
		close(): Promise<void> {
			isClosing = true;
			return admission.drain();
		},
	};

	async function pollAndRun(request: RunRequest): Promise<Finished> {
		const namespace = getOwner(request);
		const ahead = pollers.get(namespace) ?? 0;
		if (polling === undefined || pollCount >= polling.max || ahead >= polling.perNamespace) throw busy();
		pollCount++;
		pollers.set(namespace, ahead + 1);
		const isAdmitted = await pollPlace(namespace, false).finally(() => {
			pollCount--;
			const left = (pollers.get(namespace) ?? 1) - 1;
			if (left === 0) pollers.delete(namespace);
			else pollers.set(namespace, left);
		});
		if (!isAdmitted) throw busy();
		return run(request, false);
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
				? finished.finally(() => admission.leave(namespace, isBackground))
				: finished;
		} finally {
			if (!(finished instanceof Promise)) admission.leave(namespace, isBackground);
		}
	}
}

const getOwner = (request: RunRequest): string => request.namespace ?? ANONYMOUS;

const busy = (): Failed =>
	new Failed({ kind: "unavailable", message: "too many runs at once, try again", retryAfterSeconds: 1 });
