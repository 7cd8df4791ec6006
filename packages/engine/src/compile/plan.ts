import { isLoopRelation, type JsonObject } from "@tripline/contract/workflows";
import type { Component, PlannedStep } from "../component.ts";
import type { Definition } from "../definition.ts";
import type { Evaluate } from "../frame.ts";
import type { Plan, PlanEdge, PlanLoop, PlanNode, Region } from "../plan.ts";
import type { Flow } from "./flow.ts";
import type { Loop, Loops } from "./loops.ts";
import type { Scope } from "./names.ts";
import { type CompiledParameters, createResolver } from "./parameters.ts";

const DEFAULT_CONCURRENCY = 8;

export interface CompiledNode<Effects> {
	readonly component: Component<Effects> | null;
	readonly parameters: CompiledParameters;
	/** Of a component that runs others; null otherwise. */
	readonly steps: readonly PlannedStep<Effects>[] | null;
}

/** Null if a component or the loops are unknown. */
export function buildPlan<Effects>(
	{ graph, context, options }: Definition,
	{ flow, reach, reads, asides }: Scope,
	compiled: readonly CompiledNode<Effects>[],
	result: Evaluate | null,
): Plan<Effects> | null {
	if (reach === null) return null;
	const incoming = countIncomingInRegion(flow, reach.loops);
	const loops = planLoops(flow, reach.loops);
	const nodes: PlanNode<Effects>[] = [];
	let nextPlace = compiled.length;
	for (const [place, { component, parameters, steps }] of compiled.entries()) {
		const node = graph.nodes[place];
		if (component === null || node === undefined) return null;
		nodes.push({
			place,
			id: node.id,
			component,
			// Assigned one by one so that all nodes have the same hidden class, which the runner reads faster.
			resolve: parameters.resolve,
			params: parameters.params,
			expressions: parameters.expressions,
			credential: node.credential,
			retry: node.retry,
			timeoutMs: node.timeout_ms,
			incoming: incoming[place] ?? 0,
			fromInput: flow.fromInput[place] ?? false,
			edges: (flow.outgoing[place] ?? []).flatMap((link) => planEdge(link)),
			loops: loops.get(place) ?? [],
			until: parameters.until,
			steps:
				steps?.map((planned) => {
					const members = [nextPlace++];
					return { planned, region: { members, starts: members } };
				}) ?? null,
			concurrency: node.concurrency ?? DEFAULT_CONCURRENCY,
			waitSlot: asides.slot(place) ?? null,
			isAside: asides.has(place),
			onItemError: parameters.until === null ? (node.on_item_error ?? "stop") : "stop",
		});
	}
	const own = nodes.length;
	for (const { id, steps } of nodes.slice())
		for (const { planned } of steps ?? []) nodes.push(planStep(id, planned, nodes.length));
	const members = [...Array(own).keys()].filter((place) => reach.loops.around[place] === null);
	const starts = members.filter((place) => flow.fromInput[place] || flow.incoming[place] === 0);
	return {
		...{ graph, context, options, nodes, stepCount: nodes.length - own },
		...{ region: { members, starts }, result, readsRequest: reads.request },
	};
}

/** Its parameters are the item of its frame. */
const planStep = <Effects>(
	id: string,
	{ name, component, credential, retry, timeoutMs }: PlannedStep<Effects>,
	place: number,
): PlanNode<Effects> => ({
	place,
	id: `${id}/${name}`,
	component,
	resolve: createResolver(component, ({ item }) => item as JsonObject),
	params: {},
	expressions: null,
	credential,
	retry,
	timeoutMs,
	incoming: 0,
	fromInput: false,
	edges: [],
	loops: [],
	until: null,
	steps: null,
	concurrency: DEFAULT_CONCURRENCY,
	waitSlot: null,
	isAside: false,
	onItemError: "stop",
});

function planEdge({ to, edge }: Flow["links"][number]): PlanEdge[] {
	const { on, value } = edge;
	return isLoopRelation(on) ? [] : [{ to, on, ...(value !== undefined && { value }) }];
}

function countIncomingInRegion(flow: Flow, loops: Loops): number[] {
	const incoming = [...flow.incoming];
	// Only the edge that starts a loop leads into a loop body, and it is not counted.
	for (const { link } of loops.all) incoming[link.to] = 0;
	return incoming;
}

function planLoops(flow: Flow, loops: Loops): Map<number, PlanLoop[]> {
	const all = new Map<Loop, number[]>(loops.all.map((loop) => [loop, []]));
	for (const place of flow.graph.nodes.keys()) {
		for (let loop = loops.around[place] ?? null; loop !== null; loop = loop.parent)
			all.get(loop)?.push(place);
	}
	const bySubject = new Map<number, PlanLoop[]>();
	for (const loop of loops.all) {
		const body: Region = { members: loop.members, starts: [loop.link.to] };
		const planned = { name: loop.name, body, all: all.get(loop) ?? [] };
		bySubject.set(loop.subject, [...(bySubject.get(loop.subject) ?? []), planned]);
	}
	return bySubject;
}
