import type { Json } from "@tripline/contract/json";
import type { NodeStatus, NodeTrace } from "@tripline/contract/workflows";
import type { CredentialText } from "./frame.ts";
import type { Plan } from "./plan.ts";
import { Execution } from "./run/execution.ts";

export interface RunOptions<Effects> {
	readonly input: Json;
	/** The workflow's default variables and what overrides them. */
	readonly context: { readonly [name: string]: Json };
	/** The root `workflow`. */
	readonly workflow: Json;
	/** The root `execution`; has the run's id. */
	readonly execution: Json;
	/** The root `credential`; left out: the run has none. */
	readonly credential?: CredentialText;
	/** Made for the run, or shared with the run that called this one as a sub-workflow. */
	readonly budget: Budget;
	/** By the clock, in milliseconds. */
	readonly deadline: number;
	/** What the deadline was made from, for the message. */
	readonly timeoutMs: number;
	readonly clock: { now(): number };
	/** Cancels the run. */
	readonly signal?: AbortSignal;
	readonly effects: Effects;
	/** Shares the thread with other runs; left out: it has it for itself. */
	readonly turns?: RunTurns;
	/** Told of what the nodes do, while they do it. It must not throw, and nobody waits for it. */
	readonly observe?: (progress: NodeProgress) => void;
}

/** What a run and the workflows it calls share. */
export interface Budget {
	stepsLeft: number;
	/** Memory that their nodes made and that is still held. */
	heldBytes?: number;
}

export interface RunTurns {
	/** Goes on with an answer: now if there is time left in this turn of the event loop, else in a later one. */
	run(goOn: () => void): void;
	/** Goes on in a later turn of the event loop. */
	later(goOn: () => void): void;
}

/** A node starts, is to be tried again, or ended; in a loop that is told for each element. */
export interface NodeProgress {
	readonly id: string;
	readonly component: string;
	readonly status: "running" | "retrying" | NodeStatus;
	/** Which try it is, from 1; of `retrying` the one that failed. Absent where the node has ended. */
	readonly attempt?: number;
	/** Where it has ended. */
	readonly duration_ms?: number;
	readonly error?: string;
	/** In a loop. `of` is null in a loop within a loop: how many there will be is not known. */
	readonly element?: { readonly index: number; readonly of: number | null };
}

export interface Outcome {
	readonly success: boolean;
	readonly duration_ms: number;
	/** Null when the run failed. */
	readonly data: Json;
	/** In the order of the plan. */
	readonly nodes: NodeTrace[];
	readonly error?: string;
	/** The node whose failure was not handled. */
	readonly failedNode?: string;
}

/** Answers at once, without a promise, when every component did. Never throws and never rejects. */
export function run<Effects>(plan: Plan<Effects>, options: RunOptions<Effects>): Outcome | Promise<Outcome> {
	return new Execution(plan, options).begin();
}
