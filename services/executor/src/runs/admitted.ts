import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { Admission } from "../domain/admission.ts";
import type { Executions, Finished, RunRequest } from "./execute.ts";

const RETRY_MS = 100;

export type Runs = ReturnType<typeof admittedRuns>;

/** Executes runs within the process's limits. */
export function admittedRuns(deps: {
	readonly admission: Admission;
	readonly execute: Executions["execute"];
	/**
	 * How many callers may wait by polling, in total and per namespace. On Workers a request must not await a promise that
	 * another request resolves, so the admission's lines cannot be used.
	 */
	readonly looking?: { readonly most: number; readonly perNamespace: number } | undefined;
}) {
	const { admission, execute, looking } = deps;
	const lookers = new Map<string, number>();
	let looks = 0;
	let isClosing = false;

	return {
		/** For a run whose caller waits. Throws if the queue is full. */
		now(request: RunRequest): Finished | Promise<Finished> {
			const namespace = ownerOf(request);
			if (looking !== undefined) return admission.take(namespace) ? run(request, false) : whenSeen(request);
			const entered = admission.enter(namespace);
			if (entered === true) return run(request, false);
			if (entered === false) throw busy();
			return entered.then(() => run(request, false));
		},

		/** Takes a place for a background run if one is free. The holder must use it with `run` or give it back. */
		takePlace: (namespace: string): boolean => admission.take(namespace, true),

		placeFor,

		leavePlace: (namespace: string): void => admission.leave(namespace, true),

		/** Runs in a place that was already taken, and frees it at the end. */
		run: (request: RunRequest): Finished | Promise<Finished> => run(request, true),

		/** Starts no further runs. Resolves when every run has ended. */
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

	/** Waits for a place. False if the process is shutting down. */
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
