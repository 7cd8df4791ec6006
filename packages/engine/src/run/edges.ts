import type { Json } from "@tripline/contract/json";
import type { PlanEdge, PlanNode } from "../plan.ts";

export function isTakenOnSuccess(edge: PlanEdge, edges: readonly PlanEdge[], output: Json): boolean {
	switch (edge.on) {
		case "ON_SUCCESS":
		case "ALWAYS":
			return true;
		case "ON_FAIL":
		case "ON_WAIT":
			return false;
		case "ON_TRUE":
			return output === true;
		case "ON_FALSE":
			return output === false;
		case "CASE":
			return isMatch(edge, output);
		case "DEFAULT":
			return !edges.some((other) => other.on === "CASE" && isMatch(other, output));
	}
}

export const isTakenOnFailure = (edge: PlanEdge) => edge.on === "ON_FAIL" || edge.on === "ALWAYS";

/** Why the output does not match the node's edges, or null. */
export function findMisfit<Effects>(node: PlanNode<Effects>, output: Json): string | null {
	if (typeof output !== "boolean" && node.edges.some(isCondition)) return "the output is not true or false";
	if (node.loops.length > 0 && node.until === null && !Array.isArray(output))
		return "the output is not a list";
	return null;
}

const isCondition = (edge: PlanEdge) => edge.on === "ON_TRUE" || edge.on === "ON_FALSE";

/** Lists and objects never match, because CASE compares text. */
const isMatch = (edge: PlanEdge, output: Json) =>
	(typeof output !== "object" || output === null) && String(output) === edge.value;
