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
	 * How many callers may wait by looking again and again, altogether and of one namespace. On Workers a request must
	 * not wait for a promise that another one settles, so there nobody stands in the admission's lines.
	 */
	readonly looking?: { readonly most: number; readonly perNamespace: number } | undefined;
}) {
	const { admission, execute, looking } = deps;
	const lookers = new Map<string, number>();
	let looks = 0;
	let isClosing = false;

	return {
		/** For a caller who waits: past the queue it is told to come back later. */
		now(request: RunRequest): Finished | Promise<Finished> {
			const namespace = ownerOf(request);
			if (looking !== undefined) return admission.take(namespace) ? run(request, false) : whenSeen(request);
			const entered = admission.enter(namespace);
			if (entered === true) return run(request, false);
			if (entered === false) throw busy();
			return entered.then(() => run(request, false));
		},

		/** A place for a run that nobody waits for, if there is one now: whoever gets it runs in it or leaves it. */
		takePlace: (namespace: string): boolean => admission.take(namespace, true),

		placeFor,

		leavePlace: (namespace: string): void => admission.leave(namespace, true),

		/** In a place that was taken for it, which it leaves at its end. */
		run: (request: RunRequest): Finished | Promise<Finished> => run(request, true),

		/** Starts nothing more; settled once every run has ended. */
		close(): Promise<void> {
			isClosing = true;
			return admission.drain();
		},
	};

	async function whenSeen(request: RunRequest): Promise<Finished> {
		const namespace = ownerOf(request);
		const ahead = lookers.get(namespace) ?? 0;
		if (looking === undefined || looks >= looking.most || ahead >= looking.perNamespace) throw busy();
		looks++;
		lookers.set(namespace, ahead + 1);
		const isSeen = await seen(namespace, false).finally(() => {
			looks--;
			const left = (lookers.get(namespace) ?? 1) - 1;
			if (left === 0) lookers.delete(namespace);
			else lookers.set(namespace, left);
		});
		if (!isSeen) throw busy();
		return run(request, false);
	}

	/** A place as soon as there is one. False: the process closes, and none comes any more. */
	function placeFor(namespace: string): boolean | Promise<boolean> {
		return looking === undefined ? admission.wait(namespace) : seen(namespace, true);
	}

	async function seen(namespace: string, isPatient: boolean): Promise<boolean> {
		while (!admission.look(namespace, isPatient)) {
			if (isClosing) return false;
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
		return true;
	}

	function run(request: RunRequest, isPatient: boolean): Finished | Promise<Finished> {
		const namespace = ownerOf(request);
		let finished: Finished | Promise<Finished> | undefined;
		try {
			finished = execute(request);
			return finished instanceof Promise
				? finished.finally(() => admission.leave(namespace, isPatient))
				: finished;
		} finally {
			if (!(finished instanceof Promise)) admission.leave(namespace, isPatient);
		}
	}
}

const ownerOf = (request: RunRequest): string => request.namespace ?? ANONYMOUS;

const busy = (): Failed =>
	new Failed({ kind: "unavailable", message: "too many runs at once, try again", retryAfterSeconds: 1 });
