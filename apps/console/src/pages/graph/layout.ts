import iterate from "graphology-layout-forceatlas2/iterate.js";

/** A layout task for the worker. Nodes are identified by index. */
export interface LayoutTask {
	readonly id: number;
	/** x and y of each node. */
	readonly positions: Float32Array;
	/** 1 for a node that already has a position: it may move only a little. */
	readonly settled: Uint8Array;
	/** Indexes of the two end nodes of each line. */
	readonly ends: Uint32Array;
	/** Minimum interval between position updates. */
	readonly everyMs: number;
}

export interface LayoutStep {
	readonly id: number;
	readonly positions: Float32Array;
	readonly isDone: boolean;
}

const PER_NODE = 10;
const PER_EDGE = 3;
const [X, Y, MASS, CONVERGENCE, SIZE] = [0, 1, 6, 7, 8];
const MANY_NODES = 800;
/** Average movement, in layout units, below which the layout counts as finished. */
const MIN_MOVEMENT = 0.08;
const SETTLED_MOVE_FACTOR = 0.1;
/**
 * How far a settled node may move, less than the distance between neighbours. The limit grows when many nodes are
 * added.
 */
const MAX_SETTLED_MOVE = 6;

/** Creates the stepwise layout of a task. */
export function createLayout({
	positions,
	settled,
	ends,
}: Pick<LayoutTask, "positions" | "settled" | "ends">) {
	const order = settled.length;
	const nodes = new Float32Array(order * PER_NODE);
	for (let index = 0; index < order; index++) {
		const at = index * PER_NODE;
		nodes[at + X] = positions[index * 2] ?? 0;
		nodes[at + Y] = positions[index * 2 + 1] ?? 0;
		nodes[at + MASS] = 1;
		nodes[at + CONVERGENCE] = 1;
		nodes[at + SIZE] = 1;
	}
	const edges = new Float32Array((ends.length / 2) * PER_EDGE);
	for (let index = 0; index < ends.length / 2; index++) {
		const [source, target] = [ends[index * 2] as number, ends[index * 2 + 1] as number];
		edges.set([source * PER_NODE, target * PER_NODE, 1], index * PER_EDGE);
		for (const end of [source, target])
			nodes[end * PER_NODE + MASS] = (nodes[end * PER_NODE + MASS] as number) + 1;
	}
	const options = {
		linLogMode: false,
		outboundAttractionDistribution: false,
		adjustSizes: false,
		edgeWeightInfluence: 1,
		scalingRatio: 12,
		strongGravityMode: true,
		gravity: 0.04,
		slowDown: 1 + Math.log(order + 1),
		barnesHutOptimize: order > MANY_NODES,
		// Gephi's value: takes a third of the time of 0.6, with equally short lines.
		barnesHutTheta: 1.2,
	};
	const maxSteps = order > MANY_NODES ? 300 : 600;
	const settledCount = settled.reduce((count, each) => count + each, 0);
	const leash = MAX_SETTLED_MOVE * Math.max(1, Math.sqrt((order - settledCount) / Math.max(1, settledCount)));
	let steps = 0;
	return {
		/** Runs one step. Returns whether there is more to do. */
		step(): boolean {
			const before = readPositions(nodes);
			iterate(options, nodes, edges);
			let moved = 0;
			for (let index = 0; index < order; index++) {
				for (const axis of [X, Y]) {
					const at = index * PER_NODE + axis;
					const was = before[index * 2 + axis] as number;
					if (settled[index] === 1) {
						const origin = positions[index * 2 + axis] as number;
						const wanted = was + ((nodes[at] as number) - was) * SETTLED_MOVE_FACTOR;
						nodes[at] = Math.min(origin + leash, Math.max(origin - leash, wanted));
					}
					moved += Math.abs((nodes[at] as number) - was);
				}
			}
			steps++;
			return steps < maxSteps && moved / (order * 2) > MIN_MOVEMENT;
		},
		positions: () => readPositions(nodes),
	};
}

function readPositions(nodes: Float32Array): Float32Array {
	const positions = new Float32Array((nodes.length / PER_NODE) * 2);
	for (let index = 0; index < positions.length / 2; index++) {
		positions[index * 2] = nodes[index * PER_NODE + X] as number;
		positions[index * 2 + 1] = nodes[index * PER_NODE + Y] as number;
	}
	return positions;
}
