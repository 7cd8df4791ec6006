import type { NodeTrace } from "../../../api/types.ts";

const AGENT = "agent";

type TracedNode = Pick<NodeTrace, "id" | "component">;

/** The agents among the nodes of a run. */
export const listAgents = <Node extends TracedNode>(nodes: readonly Node[]): Node[] =>
	nodes.filter(({ component }) => component === AGENT);

/** The agent whose step it is; undefined if it is no step. */
export const findAgent = <Node extends TracedNode>(id: string, nodes: readonly Node[]): Node | undefined =>
	listAgents(nodes).find((agent) => isStepOf(id, agent.id));

/** The name of a step contains no slash; that of a node may. */
const isStepOf = (id: string, agent: string): boolean =>
	id.startsWith(`${agent}/`) && !id.includes("/", agent.length + 1);
