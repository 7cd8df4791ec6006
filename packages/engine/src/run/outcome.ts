import type { Json } from "@tripline/contract/json";
import type { NodeTrace } from "@tripline/contract/workflows";

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
