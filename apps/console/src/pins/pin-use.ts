import { listStepNames } from "@tripline/contract/agent-steps";
import type { Graph, JsonObject } from "../api/types.ts";
import type { Pin } from "./pins.ts";

/**
 * Whether a test run takes it. Ignored: its node, or the step of an agent, is not in the text; or it repeats others, and its
 * output follows from them.
 */
export type PinUse = "used" | "missing" | "repeats";

/** `graph`: null if it is not known yet. */
export function getPinUse(node: string, graph: Pick<Graph, "nodes" | "edges"> | null): PinUse {
	if (graph === null) return "used";
	if (!graph.nodes.some(({ id }) => id === node)) return isStep(node, graph) ? "used" : "missing";
	return graph.edges.some(({ from, on }) => from === node && on === "REPEAT") ? "repeats" : "used";
}

const isStep = (name: string, { nodes }: Pick<Graph, "nodes">): boolean =>
	nodes.some((node) => listStepNames(node).some((step) => name === `${node.id}/${step}`));

/** As a test run takes them. */
export const toPinned = (pins: readonly Pin[]): JsonObject =>
	Object.fromEntries(pins.map(({ node, output }) => [node, output]));
