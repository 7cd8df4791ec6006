import type { EdgeDisplayData, NodeDisplayData } from "sigma/types";
import type { Colours } from "./colours.ts";
import type { GraphNode } from "./knowledge-graph.ts";
import type { Link } from "./links.ts";

export interface Scene {
	readonly start: string;
	readonly nodes: ReadonlyMap<string, GraphNode>;
	/** All lines; the layout needs them. */
	readonly links: readonly Link[];
	/** Nodes that match the filter. */
	readonly shownNodes: ReadonlySet<string>;
	readonly shownLinks: ReadonlyMap<string, Link>;
	readonly expanded: ReadonlySet<string>;
	readonly chosenNode: string | null;
	readonly chosenLink: string | null;
}

/** A scene with values derived for drawing. */
export interface Drawn extends Scene {
	/** Nodes in full colour while a node is selected; empty means all. */
	readonly near: ReadonlySet<string>;
	/** Lines whose names are drawn. */
	readonly named: readonly Link[];
	readonly scale: number;
}

const MAX_NAMED_LINKS = 60;
const MAX_NAMED_NEAR = 24;
/**
 * Around a node with many lines, only names that occur at most this often are drawn: a name on every line carries no
 * information.
 */
const MAX_SAME_NAME = 8;
/** Up to this many nodes are drawn at full size. */
const MAX_FULL_SIZE_NODES = 300;
const MAX_SIZE_BY_FACTS = 14;
const START_SIZE_BONUS = 3;
export const MAX_NODE_SIZE = MAX_SIZE_BY_FACTS + START_SIZE_BONUS;

export const toDrawn = (scene: Scene): Drawn => ({
	...scene,
	near: findNear(scene),
	named: listNamedLinks(scene),
	scale: Math.max(0.35, Math.min(1, Math.sqrt(MAX_FULL_SIZE_NODES / scene.shownNodes.size))),
});

export function nodeLook(
	key: string,
	degree: number,
	drawn: Drawn,
	colours: Colours,
): Partial<NodeDisplayData> {
	const [isStart, isChosen] = [key === drawn.start, key === drawn.chosenNode];
	const isOff = drawn.near.size > 0 && !drawn.near.has(key);
	const kind = isStart || isChosen ? "chosen" : drawn.expanded.has(key) ? "expanded" : "node";
	return {
		size:
			(Math.min(MAX_SIZE_BY_FACTS, 3.5 + 1.3 * Math.sqrt(degree)) + (isStart ? START_SIZE_BONUS : 0)) *
			drawn.scale,
		color: isOff ? colours.off[kind] : colours[kind],
		hidden: !drawn.shownNodes.has(key),
		highlighted: isChosen,
		forceLabel: isChosen || isStart,
		zIndex: isChosen ? 2 : isOff ? 0 : 1,
	};
}

export function edgeLook(key: string, drawn: Drawn, colours: Colours): Partial<EdgeDisplayData> {
	const link = drawn.shownLinks.get(key);
	if (link === undefined) return { hidden: true };
	const isChosen = key === drawn.chosenLink;
	const isNear = link.source === drawn.chosenNode || link.target === drawn.chosenNode;
	const kind = link.isActive ? "edge" : "faded";
	const isOff = drawn.near.size > 0 && !isNear && !isChosen;
	return {
		type: link.isActive ? "said" : "dashed",
		size: (isChosen ? 2.4 : isNear ? 1.7 : 1.3) * drawn.scale,
		color: isChosen
			? colours.chosen
			: isOff
				? colours.off[kind]
				: colours[isNear && link.isActive ? "soft" : kind],
		zIndex: isChosen || isNear ? 1 : 0,
	};
}

function listNamedLinks({ shownLinks, chosenNode, chosenLink }: Scene): Link[] {
	const all = [...shownLinks.values()];
	if (all.length <= MAX_NAMED_LINKS) return all;
	const near = all.filter(
		({ key, source, target }) => key === chosenLink || source === chosenNode || target === chosenNode,
	);
	if (near.length <= MAX_NAMED_NEAR) return near;
	const counts = new Map<string, number>();
	for (const { label } of near) counts.set(label, (counts.get(label) ?? 0) + 1);
	return near.filter(({ key, label }) => key === chosenLink || (counts.get(label) ?? 0) <= MAX_SAME_NAME);
}

/** The selected node and its neighbours; empty if the start node is selected, which everything is near to. */
function findNear({ chosenNode, start, shownLinks }: Scene): ReadonlySet<string> {
	if (chosenNode === null || chosenNode === start) return new Set();
	const near = new Set([chosenNode]);
	for (const { source, target } of shownLinks.values()) {
		if (source === chosenNode) near.add(target);
		if (target === chosenNode) near.add(source);
	}
	return near;
}
