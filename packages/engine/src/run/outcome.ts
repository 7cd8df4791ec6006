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
	/** Set if the run succeeded although all elements of a loop failed. */
	readonly warning?: string;
	/** The node whose failure was not handled. */
	readonly failedNode?: string;
}
