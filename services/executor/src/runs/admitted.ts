import { Failed } from "@tripline/contract/failures";
import type { Admission } from "../domain/admission.ts";
import { ANONYMOUS, type Execute, type Finished, type RunRequest } from "./execute.ts";

export type Runs = ReturnType<typeof admittedRuns>;

/** Runs within the bounds of the process. */
export function admittedRuns({ admission, execute }: { admission: Admission; execute: Execute }) {
	let isClosing = false;

	return {
		/** For a caller who waits: past the queue it is told to come back later. */
		now(request: RunRequest): Finished | Promise<Finished> {
			const entered = admission.enter(request.namespace ?? ANONYMOUS);
			if (entered === true) return run(request);
			if (entered === false) throw busy();
			return entered.then(() => run(request));
		},

		/** For what nobody waits for: it waits until there is room. What comes back ends with the run. */
		async begin(request: RunRequest): Promise<() => Promise<Finished>> {
			while (!(await admission.enter(request.namespace ?? ANONYMOUS))) {
				if (isClosing) throw new Error("the service is stopping");
				await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			}
			const finished = run(request);
			return async () => finished;
		},

		/** Starts nothing more; settled once every run has ended. */
		close(): Promise<void> {
			isClosing = true;
			return admission.drain();
		},
	};

	function run(request: RunRequest): Finished | Promise<Finished> {
		const finished = execute(request);
		if (finished instanceof Promise) return finished.finally(admission.leave);
		admission.leave();
		return finished;
	}
}

const RETRY_MS = 100;

const busy = (): Failed =>
	new Failed({ kind: "unavailable", message: "too many runs at once, try again", retryAfterSeconds: 1 });
