import type { Json } from "@tripline/contract/json";

/** Outputs of runs that were too long to be told at once, for a while and as far as memory goes. */
export interface HeldOutputs {
	hold(namespace: string, executionId: string, output: Json): void;
	/** Undefined: it is not held, or not any more. */
	get(namespace: string, executionId: string): Json | undefined;
}
