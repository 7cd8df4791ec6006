import type { Json } from "@tripline/contract/json";
import type { Frame } from "../frame.ts";

/** Keeps what a run did that cannot be computed again, so that another process can resume it. */
export interface RunJournal {
	/** What earlier processes recorded, in their order. */
	readonly rows: readonly JournalRow[];
	/** The run was cancelled: it goes on only with the ALWAYS edges of the nodes in progress. */
	readonly isCancelled: boolean;
	/**
	 * Resolves when the row is on disk. Rows must become durable in the order of the calls. Rejects if this process may no
	 * longer continue the run.
	 */
	append(row: JournalRow): Promise<void>;
	/** The output of a step in an earlier run that this one repeats: then it is taken instead of starting the step. */
	findEarlier(step: string): Pick<JournalRow, "outcome" | "log"> | undefined;
	/** Asked before each attempt that has effects. If false, it does not start: the run is about to be interrupted. */
	mayStart(): boolean;
	/** Called when an attempt that was started has returned, also if nobody waits for it any more. */
	settle(): void;
	/** Called when nothing more happens until such an attempt returns. */
	rest(): void;
}

/** The outcome of an attempt of a node, its wait, the end of a delay, or the moment when the run was cancelled. */
export interface JournalRow {
	/** Unique within the run. */
	readonly key: string;
	/** When it was recorded, in milliseconds of the run's clock. */
	readonly time: number;
	/** Null unless it is that of an attempt, or the value says what is known of one that waits. */
	readonly outcome: RecordedOutcome | null;
	/** Lines that the node logged. */
	readonly log?: readonly string[];
}

export type RecordedOutcome =
	| { readonly value: Json }
	/** `isTerminal`: the node is not tried again. */
	| { readonly error: string; readonly isTerminal: boolean };

/** A node at its place in the loops around it. The same for all attempts, in any process that runs the workflow. */
export const buildStep = (frame: Frame, id: string): string => `${listIndexes(frame)}:${id}`;

export const buildAttemptKey = (frame: Frame, id: string, attempt: number): string =>
	`${attempt}:${buildStep(frame, id)}`;

/** No other key begins with a digit. */
export const isAttemptKey = (key: string): boolean => /^\d/.test(key);

/** Of the row that says that an attempt of a node waits. */
export const buildWaitKey = (frame: Frame, id: string, attempt: number): string =>
	`wait ${buildAttemptKey(frame, id, attempt)}`;

/** Of the delay before an attempt of a node, or before a turn of its loop. */
export const buildDelayKey = (frame: Frame, id: string, number: number): string =>
	`before ${number}:${buildStep(frame, id)}`;

/** Of the row that says when the run was cancelled. No other key is without a colon. */
export const CANCEL_KEY = "cancel";

/** Of the elements or turns of the loops around a node, joined by dots. */
export function listIndexes(frame: Frame): string {
	let indexes = "";
	for (let { parent, index } = frame; parent !== null; { parent, index } = parent)
		indexes = indexes === "" ? `${index}` : `${index}.${indexes}`;
	return indexes;
}
