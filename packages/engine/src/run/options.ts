import type { Json } from "@tripline/contract/json";
import type { NodeStatus } from "@tripline/contract/workflows";
import type { CredentialText } from "../frame.ts";
import type { RunJournal } from "./journal.ts";

export interface RunOptions<Effects> {
	readonly input: Json;
	/** The workflow's default variables and what overrides them. */
	readonly context: { readonly [name: string]: Json };
	/** The root `workflow`. */
	readonly workflow: Json;
	/** The root `execution`; has the run's id. */
	readonly execution: Json;
	/** Before the keys of the steps of a called workflow; default the run's id. */
	readonly stepPrefix?: string;
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
	/** Called with pieces of the texts that nodes are writing. It must not throw and is not awaited. */
	readonly onText?: (piece: NodeText) => void;
	/** Receives what nodes gave. It must not throw and is not awaited. */
	readonly capture?: { record(step: CapturedStep): void };
	/** Follows nodes in a trace. It must not throw. */
	readonly spans?: NodeSpans | undefined;
	/** Makes the run durable: it can be resumed with the rows of its journal. */
	readonly journal?: RunJournal;
	/** When the run started, in milliseconds of `clock`; default now. */
	readonly startedAt?: number;
}

/** What a run and the workflows it calls share. */
export interface Budget {
	stepsLeft: number;
	/** How many there were at the start, for the message; default 10000. */
	readonly maxSteps?: number | undefined;
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

/** A piece of a text that a node is writing. */
export interface NodeText {
	readonly id: string;
	readonly text: string;
}

/** What an attempt of a node gave; in a loop, reported for each element. */
export interface CapturedStep {
	readonly id: string;
	/** Indexes of the elements or turns of the loops around it, such as `0.2`. Empty outside loops. */
	readonly place: string;
	/** From 1. */
	readonly attempt: number;
	/** `retried`: the attempt failed, and another one follows. */
	readonly status: "retried" | Exclude<NodeStatus, "skipped">;
	/** Of all attempts. Not set for one that another follows. */
	readonly duration_ms?: number;
	readonly error?: string | undefined;
	/** Set if it succeeded. It is never modified. */
	readonly output?: Json | undefined;
	/** Of a step of a node: its parameters. Those of a node follow from the document. */
	readonly params?: Json | undefined;
}

/** What follows a node in a trace, from its first attempt to its end. */
export type NodeSpan = object;

export interface NodeSpans {
	/** A node starts; in a loop, for each element. `loop`: the span of the loop's node, if it has one. */
	begin(node: { readonly id: string; readonly component: string }, loop: NodeSpan | undefined): NodeSpan;
	/** Makes an attempt, which belongs to the span with all that it calls. */
	attempt<Result>(span: NodeSpan, attempt: number, work: () => Result): Result;
	end(span: NodeSpan, status: Exclude<NodeStatus, "skipped">): void;
}
