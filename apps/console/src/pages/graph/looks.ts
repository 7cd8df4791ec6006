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

const FEW_LINKS = 60;
const FEW_NEAR = 24;
/**
 * Around a node with many lines, only names that occur at most this often are drawn: a name on every line carries no
 * information.
 */
const FEW_OF_A_KIND = 8;
/** Up to this many nodes are drawn at full size. */
const ROOM_FOR = 300;
const MOST_BY_FACTS = 14;
const MORE_FOR_START = 3;
export const LARGEST_NODE = MOST_BY_FACTS + MORE_FOR_START;

export const drawnOf = (scene: Scene): Drawn => ({
	...scene,
	near: nearTo(scene),
	named: namedIn(scene),
	scale: Math.max(0.35, Math.min(1, Math.sqrt(ROOM_FOR / scene.shownNodes.size))),
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
			(Math.min(MOST_BY_FACTS, 3.5 + 1.3 * Math.sqrt(degree)) + (isStart ? MORE_FOR_START : 0)) * drawn.scale,
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

function namedIn({ shownLinks, chosenNode, chosenLink }: Scene): Link[] {
	const all = [...shownLinks.values()];
	if (all.length <= FEW_LINKS) return all;
	const near = all.filter(
		({ key, source, target }) => key === chosenLink || source === chosenNode || target === chosenNode,
	);
	if (near.length <= FEW_NEAR) return near;
	const counts = new Map<string, number>();
	for (const { label } of near) counts.set(label, (counts.get(label) ?? 0) + 1);
	return near.filter(({ key, label }) => key === chosenLink || (counts.get(label) ?? 0) <= FEW_OF_A_KIND);
}

/** The selected node and its neighbours; empty if the start node is selected, which everything is near to. */
function nearTo({ chosenNode, start, shownLinks }: Scene): ReadonlySet<string> {
	if (chosenNode === null || chosenNode === start) return new Set();
	const near = new Set([chosenNode]);
	for (const { source, target } of shownLinks.values()) {
		if (source === chosenNode) near.add(target);
		if (target === chosenNode) near.add(source);
	}
	return near;
}
