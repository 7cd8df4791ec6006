import type { Json } from "@tripline/contract/json";
import type { NodeStatus } from "@tripline/contract/workflows";
import type { CredentialText } from "../frame.ts";

export interface RunOptions<Effects> {
	readonly input: Json;
	/** The workflow's default variables and what overrides them. */
	readonly context: { readonly [name: string]: Json };
	/** The root `workflow`. */
	readonly workflow: Json;
	/** The root `execution`; has the run's id. */
	readonly execution: Json;
	/** The root `request`; absent if no HTTP request started the run. */
	readonly request?: Json;
	/** The root `credential`; absent if the run has none. */
	readonly credential?: CredentialText;
	/** Created for the run, or shared with the run that called this one as a sub-workflow. */
	readonly budget: Budget;
	/** In milliseconds of `clock`. */
	readonly deadline: number;
	/** The timeout behind the deadline, for the message. */
	readonly timeoutMs: number;
	readonly clock: { now(): number };
	/** Cancels the run. */
	readonly signal?: AbortSignal;
	readonly effects: Effects;
	/** Shares the thread with other runs; if absent, the run never waits for others. */
	readonly turns?: RunTurns;
	/** Called with the progress of nodes. It must not throw and is not awaited. */
	readonly observe?: (progress: NodeProgress) => void;
}

/** What a run and the workflows it calls share. */
export interface Budget {
	stepsLeft: number;
	/** Memory that their nodes allocated and that is still held. */
	heldBytes?: number;
}

export interface RunTurns {
	/** Continues after an answer: now if this turn of the event loop has time left, otherwise in a later turn. */
	run(goOn: () => void): void;
	/** Continues in a later turn of the event loop. */
	later(goOn: () => void): void;
}

/** A node started, will be retried or ended; in a loop, reported for each element. */
export interface NodeProgress {
	readonly id: string;
	readonly component: string;
	readonly status: "running" | "retrying" | NodeStatus;
	/** Attempt number from 1; for `retrying`, the one that failed. Absent once the node has ended. */
	readonly attempt?: number;
	/** Set once the node has ended. */
	readonly duration_ms?: number;
	readonly error?: string;
	/** Set inside a loop. `of` is null in a nested loop, where the total is not known. */
	readonly element?: { readonly index: number; readonly of: number | null };
}
