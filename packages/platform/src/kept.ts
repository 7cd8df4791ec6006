/** Stores the data of runs as sealed texts, for some days. */
export interface KeptRuns {
	/**
	 * Replaces what is stored of the same run. Afterwards the oldest runs of the namespace are deleted until it holds at most
	 * `maxBytes`. Runs are ordered by their ids, which begin with their time.
	 */
	put(run: KeptRun, maxBytes: number): Promise<void>;
	/** Null if there is nothing, or it has expired. */
	get(namespace: string, id: string): Promise<Pick<KeptRun, "text" | "expiresAt"> | null>;
	/** Whether there was anything. */
	delete(namespace: string, id: string): Promise<boolean>;
	/** Deletes a bounded number of runs that have expired, and returns how many. */
	sweep(): Promise<number>;
	/** In bytes, of all runs of the namespace that are stored. */
	measure(namespace: string): Promise<number>;
}

interface KeptRun {
	readonly namespace: string;
	readonly id: string;
	/** ASCII, at most 1.9 MB: D1 takes no larger row. */
	readonly text: string;
	/** In milliseconds. */
	readonly expiresAt: number;
}
