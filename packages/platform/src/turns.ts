/**
 * Shares the single computing thread. Work runs under a key, such as its namespace, and keys that have computed much
 * wait for those that have not.
 */
export interface Turns {
	/** Computes now if this turn of the event loop has time left, otherwise when it is the key's turn. */
	run<Result>(key: string, compute: () => Result): Result | Promise<Awaited<Result>>;
	/** Continues in a later turn of the event loop. */
	later(key: string, goOn: () => void): void;
	/**
	 * For work that computes on this thread in small pieces, such as a call of the store in the same process. Only a few
	 * run at once; the others have not started, so they hold no resources yet.
	 */
	call<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

/** For platforms that schedule the processor themselves, such as Workers. */
export const platformTurns: Turns = {
	run: (_, compute) => compute(),
	later: (_, goOn) => void setTimeout(goOn),
	call: (_key, _signal, work) => work(),
};
