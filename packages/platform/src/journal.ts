import { PlatformUnavailable } from "./unavailable.ts";

/** Keeps the steps of runs, so that another process can resume a run whose process has ended. */
export interface Journal {
	/**
	 * Takes a run with what was recorded of it. Whoever held it before can no longer record anything. `tag` stays with the
	 * run from the first time that it is taken. Rejects with `RunLost` if the run was cancelled. Null if nobody has taken it
	 * before and the journal has written as many rows as it may today.
	 */
	take(run: string, tag: string): Promise<HeldRun | null>;
	/**
	 * How many of the last times that the run was taken no step was recorded, before it is taken again. Null if nobody has
	 * taken it.
	 */
	countIdleTakes(run: string): Promise<number | null>;
	/**
	 * Cancels a run that has steps to clean up after: whoever holds it can record nothing more, and whoever takes it finds it
	 * cancelled. `isFirst` is false if that was done before; then nothing changes. Null if nobody has taken the run, or it has
	 * ended.
	 */
	interrupt(run: string): Promise<{ readonly tag: string; readonly isFirst: boolean } | null>;
	/** Whoever holds the run can record nothing more, and nobody can take it until then (Unix seconds). */
	cancel(run: string, until: number): Promise<void>;
	/** Deletes what was recorded of a run that has ended. */
	delete(run: string): Promise<void>;
	/**
	 * Keeps what was recorded of a run that has ended, until then (Unix seconds). With `kept`, the oldest retained runs of the
	 * same owner are deleted once all of them have more bytes than that.
	 */
	retain(
		run: string,
		until: number,
		kept?: { readonly owner: string; readonly bytes: number; readonly maxBytes: number },
	): Promise<void>;
	/** What is retained of a run that has ended; null if nothing is. */
	read(run: string): Promise<RecordedRun | null>;
	/** Deletes a bounded number of retained runs whose time (Unix seconds) has passed. Returns how many. */
	sweep(now: number): Promise<number>;
}

export interface RecordedRun {
	/** What was given when the run was taken for the first time. */
	readonly tag: string;
	/** What was recorded, in order. The run's own line is the empty text. */
	list(line: string): readonly Uint8Array[];
}

/** A run that this process holds. It has one line of steps of its own, and one for each workflow that its nodes call. */
export interface HeldRun extends RecordedRun {
	/** Of all that is recorded. */
	readonly bytes: number;
	/** How many of the last times that it was taken no step was recorded. */
	readonly idleTakes: number;
	readonly isCancelled: boolean;
	/**
	 * Resolves when the step is on disk. Steps of a line become durable in the order of the calls. Rejects with `RunLost` if
	 * another process has taken the run, or it was deleted.
	 */
	append(line: string, step: Uint8Array): Promise<void>;
}

/** Another process holds the run now. */
export class RunLost extends PlatformUnavailable {
	override readonly name = "RunLost";

	constructor() {
		super("another process has taken over the run");
	}
}
