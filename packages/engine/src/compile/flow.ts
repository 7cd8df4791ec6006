import { type Graph, type GraphEdge, INPUT } from "@tripline/contract/workflows";
import { type Positions, REQUEST, RESERVED } from "../definition.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import { didYouMean } from "../nearest.ts";

/** An edge between two nodes, given by their indexes in the graph. */
export interface Link {
	readonly from: number;
	readonly to: number;
	readonly edge: GraphEdge;
	/** Its index among the graph's edges. */
	readonly index: number;
}

/** How the nodes of a graph are connected. */
export interface Flow {
	readonly graph: Graph;
	readonly places: ReadonlyMap<string, number>;
	/** In the order of the graph. */
	readonly links: readonly Link[];
	readonly outgoing: readonly (readonly Link[])[];
	/** How many links lead to each node. */
	readonly incoming: readonly number[];
	readonly fromInput: readonly boolean[];
	/** An edge has an unknown end, so reachability is not known. */
	readonly isBroken: boolean;
}

const MAX_NODES = 1_000;
const MAX_EDGES = 10_000;

/** Null if the graph is empty or too large. */
export function readFlow(graph: Graph, positions: Positions, report: Report): Flow | null {
	if (!isInBounds(graph, report)) return null;
	const places = new Map(graph.nodes.map(({ id }, place) => [id, place]));
	for (const { id } of graph.nodes) {
		if (!RESERVED.has(id) && id !== REQUEST) continue;
		const spot = positions.nodes.get(id)?.node ?? { path: [] };
		if (id === REQUEST) {
			const message = `node "${id}" hides the request that started the run`;
			report.warning("reserved_name", message, spot, "Rename the node if a template should read the request");
			continue;
		}
		report.error("reserved_name", `"${id}" is a reserved name: templates use it`, spot, "Rename the node");
	}
	const links: Link[] = [];
	const outgoing: Link[][] = graph.nodes.map(() => []);
	const incoming = graph.nodes.map(() => 0);
	const fromInput = graph.nodes.map(() => false);
	let broken = false;
	for (const [index, edge] of graph.edges.entries()) {
		const from = edge.from === INPUT ? INPUT : findPlace(edge.from, "from", index);
		const to = edge.to === INPUT ? reportToInput(index) : findPlace(edge.to, "to", index);
		if (from === undefined || to === undefined) broken = true;
		else if (from === INPUT) readInputEdge(edge, index, to);
		else {
			const link = { from, to, edge, index };
			links.push(link);
			outgoing[from]?.push(link);
			incoming[to] = (incoming[to] ?? 0) + 1;
		}
	}
	reportDuplicates(graph, positions, report);
	return { graph, places, links, outgoing, incoming, fromInput, isBroken: broken };

	function findPlace(id: string, end: "from" | "to", index: number): number | undefined {
		const found = places.get(id);
		if (found === undefined) {
			const spot = positions.edges[index]?.[end] ?? { path: [] };
			const message = `the edge names ${quoteText(id)}, which is not a node`;
			report.error("unknown_reference", message, spot, () => didYouMean(id, places.keys()));
		}
		return found;
	}

	function reportToInput(index: number): undefined {
		const spot = positions.edges[index]?.to ?? { path: [] };
		report.error("reserved_name", `"${INPUT}" is the trigger: no edge can lead to it`, spot);
	}

	function readInputEdge(edge: GraphEdge, index: number, to: number): void {
		fromInput[to] = true;
		if (edge.on === "ON_SUCCESS" || edge.on === "ALWAYS") return;
		const spot = positions.edges[index]?.relation ?? { path: [] };
		const hint = `Write ${INPUT} >> ON_SUCCESS >> ${edge.to}, then branch in a node`;
		report.error("bad_edge", `the trigger has no output, so ${edge.on} cannot follow it`, spot, hint);
	}
}

function isInBounds(graph: Graph, report: Report): boolean {
	const { nodes, edges } = graph;
	if (nodes.length > MAX_NODES || edges.length > MAX_EDGES) {
		const message = `the workflow has ${nodes.length} nodes and ${edges.length} edges; at most ${MAX_NODES} and ${MAX_EDGES} are allowed`;
		report.error("too_large", message, { path: [] }, "Move part of it into a separate workflow");
		return false;
	}
	if (nodes.length > 0) return true;
	if (report.errors === 0) {
		report.error("no_nodes", "the workflow has no nodes", { path: [] });
	}
	return false;
}

function reportDuplicates(graph: Graph, positions: Positions, report: Report): void {
	const seen = new Set<string>();
	for (const [index, { from, to, on, as, value }] of graph.edges.entries()) {
		const key = `${from}\n${to}\n${on}\n${as ?? ""}\n${value ?? ""}`;
		if (seen.has(key)) {
			const spot = positions.edges[index]?.from ?? { path: [] };
			report.error("duplicate_edge", `duplicate edge from ${quoteText(from)} to ${quoteText(to)}`, spot);
		}
		seen.add(key);
	}
}
