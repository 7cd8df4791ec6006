import type { Json } from "@tripline/contract/json";
import type { NodeTrace } from "@tripline/contract/workflows";
import type { Plan, PlanNode } from "./plan.ts";
import { estimateMemory } from "./run/memory.ts";

/** Outputs that nodes give instead of running, by the node's name. */
export type Pins = ReadonlyMap<string, Json>;

/** Checking an output visits each of its values, which have at least as many bytes. */
const BYTES_PER_UNIT = 8;

/** The same plan, except that the pinned nodes do nothing and give their outputs: in a loop, for every element. */
export const pinOutputs = <Effects>(plan: Plan<Effects>, pins: Pins): Plan<Effects> => ({
	...plan,
	nodes: plan.nodes.map((node) => {
		const output = pins.get(node.id);
		return output === undefined ? node : pinOutput(node, output);
	}),
});

/** Whether its output can be replaced. That of a node with a REPEAT edge follows from the turns, which have effects of their own. */
export const mayPin = ({ until }: PlanNode<never>): boolean => until === null;

/** Says in the trace which outputs were pinned. */
export const markPinned = (nodes: readonly NodeTrace[], pins: Pins): NodeTrace[] =>
	nodes.map((node) => (pins.has(node.id) && node.attempts > 0 ? { ...node, pinned: true } : node));

function pinOutput<Effects>(node: PlanNode<Effects>, output: Json): PlanNode<Effects> {
	const units = estimateMemory(output, Number.POSITIVE_INFINITY) / BYTES_PER_UNIT;
	return {
		...node,
		component: {
			...node.component,
			isPure: true,
			run({ meter }) {
				meter.spend(units);
				return output;
			},
		},
		resolve: null,
		params: {},
		expressions: null,
		credential: undefined,
		retry: undefined,
		timeoutMs: undefined,
		steps: null,
	};
}
