import type { Json } from "@tripline/contract/json";
import type { Meter } from "./meter.ts";
import type { Type } from "./types/type.ts";

/** What templates and expressions read: the run's roots, and outputs by the node's index in the plan. */
export interface Frame {
	readonly roots: Roots;
	/** The enclosing frame; null outside loops. Each element of a FOREACH and each turn of a REPEAT has its own frame. */
	readonly parent: Frame | null;
	/** Undefined if the node has not run, was skipped or failed. After a loop, the enclosing frame holds each body node's list, or its output in the last turn. */
	readonly outputs: (Json | undefined)[];
	/** The element and its index, in a frame of a FOREACH; both are the turn's number in one of a REPEAT. */
	readonly item?: Json;
	readonly index?: number;
	/** The outputs of the turn before, in a frame of a REPEAT; undefined in turn 0. */
	readonly last?: readonly (Json | undefined)[] | undefined;
}

export interface Roots {
	readonly input: Json;
	readonly context: Json;
	readonly workflow: Json;
	readonly execution: Json;
	/** Before the keys of the steps of a called workflow. Undefined: the run's id. */
	readonly stepPrefix?: string | undefined;
	/** Undefined where no workflow runs. */
	readonly request?: Json;
	/** Evaluation spends from it. */
	readonly meter: Meter;
	/** Undefined if the run has none. The compiler lets only parameters of outbound calls read it. */
	readonly credential?: CredentialText | undefined;
}

/** Returns the placeholder of a credential's field, or of its only field if none is given. */
export type CredentialText = (name: string, field?: string) => string;

/** Returns undefined if there is no such value. */
export type Reader = (frame: Frame) => Json | undefined;

/** Returns the value, or throws a `TerminalError` that names the missing reference. */
export type Evaluate = (frame: Frame) => Json;

/** Resolves names at one node to a reader, or to the reason why there is none. */
export interface Names {
	/** The first part of a path: a root, a name of a loop, or a node whose name is an identifier. */
	named(name: string): Reader | NameProblem;
	/** `nodes["my node"]`. */
	node(id: string): Reader | NameProblem;
	/** For hints; absent where there are no nodes. */
	isNode?(id: string): boolean;
	/** For `<name>_last`, which the name of a node follows: finds that node's reader. Undefined for any other name. */
	last?(name: string): ((id: string) => Reader | NameProblem) | undefined;
	/** Whether `credential` may be read here. */
	readonly credentials: boolean;
	/** Absent if nothing is known about the values. */
	readonly types?: NameTypes;
}

/** The types of what `Names` resolves; any for a name that cannot be resolved. */
export interface NameTypes {
	named(name: string): Type;
	node(id: string): Type;
	/** Whether the node may have been skipped when its output is read here; false for any other name. */
	mayBeSkipped(name: string): boolean;
}

export interface NameProblem {
	readonly code: "unknown_reference" | "unreachable_reference";
	readonly message: string;
	readonly hint?: string;
}
