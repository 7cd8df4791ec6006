import type { Json } from "@tripline/contract/json";
import { type Graph, type GraphEdge, type GraphNode, INPUT } from "@tripline/contract/workflows";
import { type EdgeSpots, type NodeSpots, Unread } from "./definition.ts";
import type { Path, Report, Spot } from "./diagnostics.ts";
import { type NodeDraft, readNode } from "./settings.ts";

/** A graph as written in the source. */
export interface GraphDraft {
	readonly id?: string;
	readonly result?: { readonly value: Json; readonly at: Path };
	readonly nodes: Map<string, NodeDraft>;
	readonly edges: EdgeDraft[];
	readonly unread: Unread;
}

export const createDraft = (): GraphDraft => ({ nodes: new Map(), edges: [], unread: new Unread() });

export interface EdgeDraft {
	readonly edge: GraphEdge;
	readonly spots: EdgeSpots;
}

interface CanonicalGraph {
	readonly graph: Graph;
	readonly nodes: ReadonlyMap<string, NodeSpots>;
	readonly edges: readonly EdgeSpots[];
	readonly result: Path;
}

/** Normalizes a graph so that equivalent graphs are equal: see `Definition.graph`. */
export function canonicalizeGraph(draft: GraphDraft, report: Report): CanonicalGraph {
	const edges = [...draft.edges];
	const named = new Set(edges.flatMap(({ edge }) => [edge.from, edge.to]));
	for (const { id, spot } of draft.nodes.values()) {
		if (named.has(id)) continue;
		named.add(id);
		edges.push({
			edge: { from: INPUT, to: id, on: "ON_SUCCESS" },
			spots: { from: spot, relation: spot, to: spot },
		});
	}
	const nodes: GraphNode[] = [];
	const spots = new Map<string, NodeSpots>();
	for (const id of named) {
		const node = draft.nodes.get(id);
		if (node === undefined) continue;
		nodes.push(readNode(node, report));
		spots.set(id, buildNodeSpots(node));
	}
	const id = draft.id === undefined ? {} : { id: draft.id };
	return {
		graph: {
			...id,
			nodes,
			edges: edges.map(({ edge }) => edge),
			...(draft.result !== undefined && { result: draft.result.value }),
		},
		nodes: spots,
		edges: edges.map((edge) => edge.spots),
		result: draft.result?.at ?? [],
	};
}

function buildNodeSpots({ spot, params, fields }: NodeDraft): NodeSpots {
	const field = (name: string) => fields.get(name)?.at;
	const written = (path: Path | undefined): Spot => (path === undefined ? spot : { path });
	const near = fields.size === 0 ? spot : undefined;
	return {
		node: spot,
		component: written(field("component")),
		credential: written(field("credential")),
		setting: (name) => written(field(name)),
		params: ([name, ...below]) =>
			name === undefined
				? { path: params, near }
				: { path: [...(field(String(name)) ?? [...params, name]), ...below], near },
	};
}
