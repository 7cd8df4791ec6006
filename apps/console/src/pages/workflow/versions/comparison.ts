import type { Diff, Graph, Side } from "../../../api/types.ts";

export type Mark = "added" | "removed" | "changed";

/** Two texts of a workflow, and their graphs drawn as one. */
export interface Comparison {
	/** Null: there is no earlier version. */
	readonly from: Side | null;
	readonly to: Side;
	readonly hunks: Diff["hunks"];
	/** Null if one of the texts cannot be read. */
	readonly drawn: { readonly graph: Graph; readonly marks: ReadonlyMap<string, Mark> } | null;
}

/** The later graph, with the nodes that it no longer has and their edges. */
export function mergeGraphs(before: Graph | null, after: Graph, nodes: NonNullable<Diff["nodes"]>) {
	const removed = new Set(nodes.removed);
	const marks = new Map<string, Mark>([
		...nodes.added.map((id) => [id, "added"] as const),
		...nodes.removed.map((id) => [id, "removed"] as const),
		...nodes.changed.map((id) => [id, "changed"] as const),
	]);
	const graph: Graph = {
		...after,
		nodes: [...after.nodes, ...(before?.nodes ?? []).filter(({ id }) => removed.has(id))],
		edges: [
			...after.edges,
			...(before?.edges ?? []).filter(({ from, to }) => removed.has(from) || removed.has(to)),
		],
	};
	return { graph, marks };
}

/** Everything of a first version is new. */
export function compareWithNothing(text: string, graph: Graph | null): Pick<Diff, "hunks" | "nodes"> {
	const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
	return {
		hunks: [{ from_line: 1, to_line: 1, lines: lines.map((line) => ({ change: "added", text: line })) }],
		nodes: graph === null ? null : { added: graph.nodes.map(({ id }) => id), removed: [], changed: [] },
	};
}
