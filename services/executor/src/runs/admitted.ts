import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { Admission } from "../domain/admission.ts";
import type { Executions, Finished, RunRequest } from "./execute.ts";

const RETRY_MS = 100;

export type Runs = ReturnType<typeof admittedRuns>;

/** Runs within the bounds of the process. */
export function admittedRuns(deps: {
	readonly admission: Admission;
	readonly execute: Executions["execute"];
	/**
	 * How many may wait by looking again and again. On Workers a request must not wait for a promise that another one
	 * settles, so there the admission has no queue of its own.
	 */
	readonly mostLooking?: number;
}) {
	const { admission, execute, mostLooking = 0 } = deps;
	let looking = 0;
	let isClosing = false;

	return {
		/** For a caller who waits: past the queue it is told to come back later. */
		now(request: RunRequest): Finished | Promise<Finished> {
			const entered = admission.enter(request.namespace ?? ANONYMOUS);
			if (entered === true) return run(request);
			if (entered === false) return whenSeen(request);
			return entered.then(() => run(request));
		},

		/** For what nobody waits for: it waits until there is room. What comes back ends with the run. */
		async begin(request: RunRequest): Promise<() => Promise<Finished>> {
			await roomSeen(request);
			const finished = run(request);
			return async () => finished;
		},

		/** Starts nothing more; settled once every run has ended. */
		close(): Promise<void> {
			isClosing = true;
			return admission.drain();
		},
	};

	async function whenSeen(request: RunRequest): Promise<Finished> {
		if (looking >= mostLooking) throw busy();
		looking++;
		await roomSeen(request).finally(() => looking--);
		return run(request);
	}

	async function roomSeen(request: RunRequest): Promise<void> {
		while (!(await admission.enter(request.namespace ?? ANONYMOUS))) {
			if (isClosing) throw busy();
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}

	function run(request: RunRequest): Finished | Promise<Finished> {
		let finished: Finished | Promise<Finished> | undefined;
		try {
			finished = execute(request);
			return finished instanceof Promise ? finished.finally(admission.leave) : finished;
		} finally {
			if (!(finished instanceof Promise)) admission.leave();
		}
	}
}

const busy = (): Failed =>
	new Failed({ kind: "unavailable", message: "too many runs at once, try again", retryAfterSeconds: 1 });
