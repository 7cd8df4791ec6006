import type { EdgeDisplayData, NodeDisplayData } from "sigma/types";
import { type Colours, mixed } from "./colours.ts";
import type { GraphNode } from "./knowledge-graph.ts";
import type { Link } from "./links.ts";

export interface Scene {
	readonly start: string;
	readonly nodes: ReadonlyMap<string, GraphNode>;
	/** All lines, for the layout. */
	readonly links: readonly Link[];
	/** What the filter lets through. */
	readonly shownNodes: ReadonlySet<string>;
	readonly shownLinks: ReadonlyMap<string, Link>;
	readonly expanded: ReadonlySet<string>;
	readonly chosenNode: string | null;
	readonly chosenLink: string | null;
}

/** A scene, and what follows from it for every node and line. */
export interface Drawn extends Scene {
	/** What stays in full colour while a node is chosen; empty: everything. */
	readonly near: ReadonlySet<string>;
	readonly scale: number;
}

const FEW_LINKS = 60;
/** So many nodes are drawn in full size. */
const ROOM_FOR = 300;

export const drawnOf = (scene: Scene): Drawn => ({
	...scene,
	near: nearTo(scene),
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
	const { chosen, expanded, node, card } = colours;
	const colour = isStart || isChosen ? chosen : drawn.expanded.has(key) ? expanded : node;
	return {
		size: (Math.min(14, 3.5 + 1.3 * Math.sqrt(degree)) + (isStart ? 3 : 0)) * drawn.scale,
		color: isOff ? mixed(colour, card, 0.55) : colour,
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
	const { chosen, edge, faded, soft, card } = colours;
	const plain = link.isActive ? (isNear ? soft : edge) : faded;
	const isOff = drawn.near.size > 0 && !isNear && !isChosen;
	return {
		type: link.isActive ? "said" : "dashed",
		size: (isChosen ? 2.4 : isNear ? 1.7 : 1.3) * drawn.scale,
		color: isChosen ? chosen : isOff ? mixed(plain, card, 0.35) : plain,
		label: isNear || isChosen || drawn.shownLinks.size <= FEW_LINKS ? link.label : null,
		forceLabel: isChosen || isNear,
		zIndex: isChosen || isNear ? 1 : 0,
	};
}

/** The chosen node and its neighbours; nothing where all of it is near anyway. */
function nearTo({ chosenNode, start, shownLinks }: Scene): ReadonlySet<string> {
	if (chosenNode === null || chosenNode === start) return new Set();
	const near = new Set([chosenNode]);
	for (const { source, target } of shownLinks.values()) {
		if (source === chosenNode) near.add(target);
		if (target === chosenNode) near.add(source);
	}
	return near;
}
