import { isLoopRelation, type LoopRelation } from "@tripline/contract/workflows";
import type { Positions } from "../definition.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import { formatRelation } from "../relations.ts";
import type { Flow, Link } from "./flow.ts";

/** The body of a FOREACH or REPEAT edge: the nodes that can be reached only through it. */
export interface Loop {
	readonly on: LoopRelation;
	readonly name: string;
	readonly subject: number;
	readonly link: Link;
	/** The enclosing loop. */
	readonly parent: Loop | null;
	/** 1 for an outermost loop. */
	readonly depth: number;
	/** Its own nodes, without those of nested loops. */
	readonly members: number[];
}

export interface Loops {
	/** In the order of the graph. */
	readonly all: readonly Loop[];
	/** The innermost loop around each node. */
	readonly around: readonly (Loop | null)[];
}

/** A node of the dominator tree: the trigger, a node or an edge that starts a loop. */
interface Gate {
	readonly above: Gate | null;
	readonly depth: number;
	readonly loop: Loop | null;
}

/** The loop as it is written: `orders >> FOREACH order`. */
export const formatLoop = ({ graph }: Flow, { subject, link }: Loop): string =>
	`${graph.nodes[subject]?.id} >> ${formatRelation(link.edge)}`;

/** The loop that an edge starts; undefined if the edge leads into it from elsewhere too, which is an error. */
export function findLoop({ around }: Loops, link: Link | undefined): Loop | undefined {
	const loop = link === undefined ? null : around[link.to];
	return loop?.link === link ? (loop ?? undefined) : undefined;
}

export function isInside(loops: Loops, place: number, loop: Loop): boolean {
	for (let around = loops.around[place] ?? null; around !== null; around = around.parent)
		if (around === loop) return true;
	return false;
}

/** Finds the loops. `order` is a topological order of the nodes. */
export function findLoops(flow: Flow, order: readonly number[], positions: Positions, report: Report): Loops {
	const root: Gate = { above: null, depth: 0, loop: null };
	const loops: Loop[] = [];
	const around: (Loop | null)[] = flow.graph.nodes.map(() => null);
	const ways: Gate[][] = flow.graph.nodes.map((_, place) =>
		flow.fromInput[place] || flow.incoming[place] === 0 ? [root] : [],
	);
	for (const place of order) {
		const above = (ways[place] as Gate[]).reduce(findCommonGate);
		around[place] = above.loop;
		above.loop?.members.push(place);
		const gate = { above, depth: above.depth + 1, loop: above.loop };
		for (const link of flow.outgoing[place] ?? [])
			ways[link.to]?.push(isLoopRelation(link.edge.on) ? enter(link, link.edge.on, gate) : gate);
	}
	const found = { all: loops.sort((a, b) => a.link.index - b.link.index), around };
	reportLeaks(flow, found, positions, report);
	return found;

	function enter(link: Link, on: LoopRelation, subject: Gate): Gate {
		const parent = subject.loop;
		const loop: Loop = {
			on,
			name: link.edge.as ?? "",
			subject: link.from,
			link,
			parent,
			depth: (parent?.depth ?? 0) + 1,
			members: [],
		};
		loops.push(loop);
		return { above: subject, depth: subject.depth + 1, loop };
	}
}

function findCommonGate(a: Gate, b: Gate): Gate {
	let [one, other] = [a, b];
	while (one !== other) {
		if (one.depth >= other.depth) one = one.above as Gate;
		else other = other.above as Gate;
	}
	return one;
}

function reportLeaks(flow: Flow, loops: Loops, positions: Positions, report: Report): void {
	const getId = (place: number) => flow.graph.nodes[place]?.id ?? "";
	const loopsByLink = new Map(loops.all.map((loop) => [loop.link, loop]));
	for (const link of flow.links) {
		const loop = loopsByLink.get(link);
		const inside = loop ?? loops.around[link.from] ?? null;
		if (inside === null || loops.around[link.to] === inside) continue;
		const subject = getId(inside.subject);
		const target = getId(link.to);
		const spot = positions.edges[link.index]?.from ?? { path: [] };
		const way = loop === undefined ? `from ${quoteText(getId(link.from))} inside` : "through";
		report.error(
			"loop_leak",
			`${quoteText(target)} is reached ${way} the loop "${formatLoop(flow, inside)}" and also from outside it`,
			spot,
			`Nodes in a loop may be reached only through its ${inside.on} edge. Connect what follows the loop to its subject: ${subject} >> ON_SUCCESS >> ${target}`,
		);
	}
}
