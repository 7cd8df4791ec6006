import { type GraphNode, isLoopRelation } from "@tripline/contract/workflows";
import { type Component, findTurnParameter } from "../component.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import { listNames } from "./loop-names.ts";
import { formatLoop, isInside, type Loop } from "./loops.ts";
import type { Scope } from "./names.ts";

interface CheckedNode {
	/** Null if it is unknown. */
	readonly component: Component<never> | null;
	/** Names that its parameters read; null outside loops. */
	readonly reads: ReadonlySet<string> | null;
}

/** Reports loops that cannot run, and settings and nodes of loops that do not do what they seem to. */
export function checkLoops(scope: Scope, nodes: readonly CheckedNode[], report: Report): void {
	for (const [place, node] of scope.flow.graph.nodes.entries()) {
		const component = nodes[place]?.component ?? null;
		if (component !== null) checkRepeat(scope, place, node, component, report);
		checkSettings(scope, place, node, component, report);
	}
	// With an unknown name, what a node reads is not known.
	if (report.errors > 0) return;
	for (const loop of scope.reach?.loops.all ?? [])
		if (loop.on === "FOREACH") checkBody(scope, loop, nodes, report);
}

/** A repeat node has exactly one REPEAT edge, and no other node has any. */
function checkRepeat(
	{ flow, positions }: Scope,
	place: number,
	{ id }: GraphNode,
	component: Component<never>,
	report: Report,
): void {
	const isRepeat = findTurnParameter(component) !== undefined;
	const links = (flow.outgoing[place] ?? []).filter(({ edge }) => isLoopRelation(edge.on));
	if (links.length === 0 && !isRepeat) return;
	const [first, ...others] = isRepeat ? links.filter(({ edge }) => edge.on === "REPEAT") : [];
	const refuse = (index: number, message: string, hint: string) =>
		report.error("bad_edge", message, positions.edges[index]?.relation ?? { path: [] }, hint);
	for (const { edge, index } of links) {
		if (edge.on === "REPEAT" && !isRepeat)
			refuse(
				index,
				`REPEAT cannot follow ${quoteText(id)}, which is a ${quoteText(component.id)}`,
				`REPEAT follows a node of the component repeat, whose parameter until ends the turns`,
			);
		if (edge.on === "FOREACH" && isRepeat)
			refuse(index, `FOREACH cannot follow ${quoteText(id)}, whose output is not a list`, `Use REPEAT`);
	}
	for (const { index } of others)
		refuse(
			index,
			`${quoteText(id)} has more than one REPEAT edge`,
			`Connect the other nodes to the first node of its body, ${quoteText(first?.edge.to ?? "")}`,
		);
	if (!isRepeat || first !== undefined || flow.isBroken || !positions.unread.isEmpty) return;
	const spot = positions.nodes.get(id)?.node ?? { path: [] };
	const hint = `Write ${id} >> REPEAT turn >> …, with the first node that it repeats`;
	report.error("bad_edge", `${quoteText(id)} repeats nothing: it has no REPEAT edge`, spot, hint);
}

function checkSettings(
	{ flow, positions, reach }: Scope,
	place: number,
	node: GraphNode,
	component: Component<never> | null,
	report: Report,
): void {
	const isRepeat = component !== null && findTurnParameter(component) !== undefined;
	if (!isRepeat && node.concurrency === undefined && node.on_item_error === undefined) return;
	const warn = (name: string, why: string, hint: string | undefined) => {
		const spot = positions.nodes.get(node.id)?.setting(name) ?? { path: [] };
		report.warning("no_effect", `${name} has no effect on ${quoteText(node.id)}: ${why}`, spot, hint);
	};
	const startsForeach = flow.outgoing[place]?.some(({ edge }) => edge.on === "FOREACH") ?? false;
	if (!startsForeach && !flow.isBroken && positions.unread.isEmpty) {
		for (const name of ["concurrency", "on_item_error"] as const) {
			if (node[name] === undefined) continue;
			const subject = findForeachSubject(reach?.loops.around[place] ?? null);
			const hint =
				subject === undefined
					? undefined
					: `Set it on ${quoteText(flow.graph.nodes[subject]?.id ?? "")}, which starts the loop`;
			warn(name, "it starts no FOREACH loop", hint);
		}
	}
	if (!isRepeat) return;
	for (const name of ["retry", "timeout_ms"] as const)
		if (node[name] !== undefined)
			warn(name, "it is not used for its turns", "Set it on the nodes that it repeats");
}

function findForeachSubject(around: Loop | null): number | undefined {
	let loop = around;
	while (loop !== null && loop.on !== "FOREACH") loop = loop.parent;
	return loop?.subject;
}

/**
 * Warns about nodes that an edge from the body has drawn into the loop: neither they nor the nodes after them use the
 * element or what was made of it.
 */
function checkBody(scope: Scope, loop: Loop, nodes: readonly CheckedNode[], report: Report): void {
	const { flow, positions, reach } = scope;
	if (reach === null) return;
	const own = new Set(loop.members);
	const names = listNames(loop);
	const varying = new Set<number>();
	/** A branch leads to them, so they may run for some elements only. */
	const conditional = new Set<number>();
	for (const place of loop.members) {
		const after = flow.outgoing[place] ?? [];
		const reads = [...(nodes[place]?.reads ?? [])];
		report.meter.spend(reads.length * loop.depth);
		const isVarying =
			place === loop.link.to ||
			nodes[place]?.component === null ||
			after.some(({ edge }) => isLoopRelation(edge.on)) ||
			reads.some((name) => names.includes(name) || isVaryingPlace(flow.places.get(name)));
		if (isVarying) varying.add(place);
		for (const { to, edge } of after)
			if (edge.on !== "ON_SUCCESS" || conditional.has(place)) conditional.add(to);
	}
	const drawn = new Set<number>();
	for (const place of loop.members.toReversed()) {
		if (varying.has(place) || conditional.has(place)) continue;
		if ((flow.outgoing[place] ?? []).every(({ to }) => drawn.has(to))) drawn.add(place);
	}
	const entries = new Map<number, number>();
	for (const { from, to, index } of loop.members.flatMap((place) => flow.outgoing[place] ?? []))
		if (drawn.has(to) && !drawn.has(from) && !entries.has(to)) entries.set(to, index);
	const subject = flow.graph.nodes[loop.subject]?.id ?? "";
	for (const [place, index] of entries) {
		const node = flow.graph.nodes[place];
		if (node === undefined || isPause(node, nodes[place]?.component ?? null)) continue;
		report.warning(
			"runs_for_each",
			`${quoteText(node.id)} runs once for each element of "${formatLoop(flow, loop)}", but uses nothing of the element`,
			positions.edges[index]?.to ?? { path: [] },
			`To run it once after the loop, write ${subject} >> ON_SUCCESS >> ${node.id}`,
		);
	}

	function isVaryingPlace(place: number | undefined): boolean {
		if (place === undefined || reach === null) return false;
		return own.has(place) ? varying.has(place) : isInside(reach.loops, place, loop);
	}
}

/** A node that waits, or has numbers only, is meant for each element. */
const isPause = ({ params }: GraphNode, component: Component<never> | null): boolean =>
	component?.parks?.(params) === true ||
	!Object.values(params).some((value) => typeof value === "string" || typeof value === "object");
