export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs tasks one after another, so that what a task reads does not change before it writes. */
export function createTurnQueue(): InTurn {
	let last: Promise<unknown> = Promise.resolve();
	return (work) => {
		const next = last.then(work, work);
		last = next.catch(() => {});
		return next;
	};
}

/** For platforms where a request cannot await another's promise, and other instances would not wait either. */
export const runImmediately: InTurn = (work) => work();
