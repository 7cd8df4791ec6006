import { type Definition, type Positions, Unread } from "../definition.ts";
import { createLocator, type Path } from "../diagnostics.ts";

/** Paths into a definition that was not just read from a source. */
export function buildPositions(definition: Definition): Positions {
	const nodes = definition.graph.nodes.map(({ id }, index) => {
		const path = ["graph", "nodes", index];
		const field = (name: string) => ({ path: [...path, name] });
		const spots = {
			node: { path },
			component: field("component"),
			credential: field("credential"),
			setting: field,
			params: (below: Path) => ({ path: [...path, "params", ...below] }),
		};
		return [id, spots] as const;
	});
	const edges = definition.graph.edges.map((_, index) => {
		const field = (name: string) => ({ path: ["graph", "edges", index, name] });
		return { from: field("from"), relation: field("on"), to: field("to") };
	});
	return {
		nodes: new Map(nodes),
		edges,
		result: ["graph", "result"],
		unread: new Unread(),
		locate: createLocator(definition),
	};
}
