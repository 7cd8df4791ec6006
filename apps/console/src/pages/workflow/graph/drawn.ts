import type { LoopRelation } from "@tripline/contract/workflows";
import type { Graph, Relation, WorkflowDetail } from "../../../api/types.ts";

/** Undefined until the text is saved. */
export type DrawnTrigger = WorkflowDetail["workflow"]["trigger"] | undefined;

/** The node that represents the trigger, as in triplets. */
export const INPUT = "input";

export interface DrawnEdge {
	readonly id: string;
	readonly from: string;
	readonly to: string;
	readonly on: Relation;
	/** The value of a CASE, or the name of a loop's element or turn. */
	readonly detail: string | null;
	/** An implicit edge: a node without incoming edges starts with the trigger. */
	readonly isImplied: boolean;
}

interface Loop {
	readonly id: string;
	readonly on: LoopRelation;
	/** The node that returns the list, or that repeats. */
	readonly subject: string;
	/** The name of the element, or of the turn. */
	readonly name: string;
	/** The body: all nodes reachable by its edge. */
	readonly nodes: ReadonlySet<string>;
	readonly parent: string | null;
}

export interface Drawn {
	readonly nodes: readonly Graph["nodes"][number][];
	readonly edges: readonly DrawnEdge[];
	readonly loops: readonly Loop[];
	/** The innermost loop of each node in a loop. */
	readonly loopByNode: ReadonlyMap<string, string>;
}

/** Builds the drawable graph: its edges including those from the trigger, and the bodies of its loops. */
export function buildDrawn(graph: Graph): Drawn {
	const reached = new Set(graph.edges.map(({ to }) => to));
	const known = new Set([INPUT, ...graph.nodes.map(({ id }) => id)]);
	const edges: DrawnEdge[] = [
		...graph.nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => createImpliedEdge(id)),
		...graph.edges.filter(({ from, to }) => known.has(from) && known.has(to)).map(toDrawnEdge),
	];
	const loops = findLoops(edges);
	return { nodes: graph.nodes, edges, loops, loopByNode: mapInnermostLoops(loops) };
}

const createImpliedEdge = (to: string): DrawnEdge => ({
	id: `trigger:${to}`,
	from: INPUT,
	to,
	on: "ON_SUCCESS",
	detail: null,
	isImplied: true,
});

const toDrawnEdge = ({ from, to, on, value, as }: Graph["edges"][number], index: number): DrawnEdge => ({
	id: `edge:${index}`,
	from,
	to,
	on,
	detail: value ?? as ?? null,
	isImplied: false,
});

const LOOP_RELATIONS: ReadonlySet<Relation> = new Set<LoopRelation>(["FOREACH", "REPEAT"]);

/** No edge leaves a loop's body, so the body is everything reachable from its first node. */
function findLoops(edges: readonly DrawnEdge[]): readonly Loop[] {
	const from = Map.groupBy(edges, (edge) => edge.from);
	const starts = Map.groupBy(
		edges.filter(({ on }) => LOOP_RELATIONS.has(on)),
		(edge) => JSON.stringify([edge.from, edge.detail]),
	);
	const bare = [...starts].map(([id, [first, ...rest]]) => ({
		id,
		on: first?.on as LoopRelation,
		subject: first?.from ?? "",
		name: first?.detail ?? "",
		nodes: findReachable(
			[first, ...rest].flatMap((edge) => (edge === undefined ? [] : [edge.to])),
			from,
		),
	}));
	return bare.map((loop) => {
		const around = bare.filter((other) => other !== loop && other.nodes.has(loop.subject));
		around.sort((one, other) => one.nodes.size - other.nodes.size);
		return { ...loop, parent: around[0]?.id ?? null };
	});
}

function findReachable(
	starts: readonly string[],
	from: ReadonlyMap<string, DrawnEdge[]>,
): ReadonlySet<string> {
	const found = new Set(starts);
	for (const node of found) for (const edge of from.get(node) ?? []) found.add(edge.to);
	return found;
}

function mapInnermostLoops(loops: readonly Loop[]): ReadonlyMap<string, string> {
	const largestFirst = [...loops].sort((one, other) => other.nodes.size - one.nodes.size);
	return new Map(largestFirst.flatMap(({ id, nodes }) => [...nodes].map((node) => [node, id] as const)));
}
