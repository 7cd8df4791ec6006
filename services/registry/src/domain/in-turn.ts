export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs one piece of work after the other, so that what it reads does not change before it writes. */
export function inTurn(): InTurn {
	let last: Promise<unknown> = Promise.resolve();
	return (work) => {
		const next = last.then(work, work);
		last = next.catch(() => {});
		return next;
	};
}

/** Where a request cannot wait for another's promise, and other instances would not wait either. */
export const atOnce: InTurn = (work) => work();
