import type { Positions } from "../definition.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import type { Flow, Link } from "./flow.ts";

/** The body of a FOREACH edge: the nodes that can be reached only through it. */
export interface Loop {
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

/** A node of the dominator tree: the trigger, a node or a FOREACH edge. */
interface Gate {
	readonly above: Gate | null;
	readonly depth: number;
	readonly loop: Loop | null;
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
			ways[link.to]?.push(link.edge.on === "FOREACH" ? enter(link, gate) : gate);
	}
	const found = { all: loops.sort((a, b) => a.link.index - b.link.index), around };
	reportLeaks(flow, found, positions, report);
	return found;

	function enter(link: Link, subject: Gate): Gate {
		const parent = subject.loop;
		const loop: Loop = {
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
			`${quoteText(target)} is reached ${way} the loop "${subject} >> FOREACH ${inside.name}" and also from outside it`,
			spot,
			`Nodes in a loop may be reached only through its FOREACH edge. Connect what follows the loop to its subject: ${subject} >> ON_SUCCESS >> ${target}`,
		);
	}
}
