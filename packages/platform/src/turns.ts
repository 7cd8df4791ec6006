/**
 * Shares the one thread that computes between those who want it. Whoever is about to compute does so under a key, its
 * namespace for instance: keys that have computed much wait for those that have not.
 */
export interface Turns {
	/** Computes now if there is time left in this turn of the event loop, else when it is the key's turn. */
	run<Result>(key: string, compute: () => Result): Result | Promise<Awaited<Result>>;
	/** Goes on in a later turn of the event loop. */
	later(key: string, goOn: () => void): void;
	/**
	 * What computes on this thread bit by bit, a call of the store in the same process for instance. Few are under way at
	 * once: the others have not begun, so that they hold nothing yet.
	 */
	call<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

/** Where the platform shares the processor itself, as Workers do. */
export const platformTurns: Turns = {
	run: (_, compute) => compute(),
	later: (_, goOn) => void setTimeout(goOn),
	call: (_key, _signal, work) => work(),
};
