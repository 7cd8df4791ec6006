import type { Json } from "@tripline/contract/json";
import type { Meter } from "./meter.ts";

/** What templates and expressions read: the run's roots, and outputs by the node's place in the plan. */
export interface Frame {
	readonly roots: Roots;
	/** The surrounding frame; null outside of loops. Each element of a FOREACH has a frame of its own. */
	readonly parent: Frame | null;
	/** Undefined: the node has not run, was skipped or failed. After a loop, a body node's list is in the frame around it. */
	readonly outputs: (Json | undefined)[];
	/** The element and its place, in a frame of a FOREACH. */
	readonly item?: Json;
	readonly index?: number;
}

export interface Roots {
	readonly input: Json;
	readonly context: Json;
	readonly workflow: Json;
	readonly execution: Json;
	/** What evaluating spends from. */
	readonly meter: Meter;
	/** The compiler lets only parameters of outbound calls read it. Undefined: the run has none. */
	readonly credential?: CredentialText | undefined;
}

/** What stands for a credential's field until the call that it is meant for; without a field: for its only one. */
export type CredentialText = (name: string, field?: string) => string;

/** Undefined: there is no such value. */
export type Reader = (frame: Frame) => Json | undefined;

/** Gives the value, or throws a `TerminalError` that names the missing reference. */
export type Evaluate = (frame: Frame) => Json;

/** What a name means at one node. Answers a reader, or says why there is none. */
export interface Names {
	/** The first part of a path: a root, a FOREACH name, or a node whose name is an identifier. */
	named(name: string): Reader | NameProblem;
	/** `nodes["my node"]`. */
	node(id: string): Reader | NameProblem;
	/** Whether `credential` may be read here. */
	readonly credentials: boolean;
}

export interface NameProblem {
	readonly code: "unknown_reference" | "unreachable_reference";
	readonly message: string;
	readonly hint?: string;
}
