import { Graph as Dagre, layout } from "@dagrejs/dagre";
import { type Drawn, INPUT } from "./drawn.ts";

export type Direction = "LR" | "TB";
export interface Point {
	readonly x: number;
	readonly y: number;
}
export interface Box extends Point {
	readonly width: number;
	readonly height: number;
}

/** Positions of all elements; x and y are the upper left corner. */
export interface Layout {
	readonly direction: Direction;
	readonly nodes: ReadonlyMap<string, Box>;
	readonly loops: ReadonlyMap<string, Box>;
	readonly edges: ReadonlyMap<string, { readonly points: readonly Point[]; readonly label: Point }>;
	readonly width: number;
	readonly height: number;
}

const NODE = { width: 196, height: 60 };
export const TRIGGER = { width: 196, height: 50 };
const LABEL_HEIGHT = 20;
/** Room for a loop's name above its body. */
const LOOP_HEAD = 26;

/** A rough upper bound: Latin letters are about 7 wide, CJK characters twice that. */
const estimateLabelWidth = (text: string): number =>
	text === ""
		? 0
		: Math.min(160, 14 + [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 13 : 7), 0));

export function layOut(of: Drawn, direction: Direction, getLabel: (edgeId: string) => string): Layout {
	try {
		return placeGraph(of, direction, getLabel, true);
	} catch {
		// Overlapping bodies (an error in the text) cannot be drawn as boxes, so the graph is drawn without them.
		return placeGraph({ ...of, loops: [], loopByNode: new Map() }, direction, getLabel, false);
	}
}

function placeGraph(
	of: Drawn,
	direction: Direction,
	getLabel: (id: string) => string,
	compound: boolean,
): Layout {
	const graph = new Dagre({ multigraph: true, compound });
	graph.setGraph({ rankdir: direction, nodesep: 28, ranksep: 36, edgesep: 16, marginx: 16, marginy: 16 });
	graph.setNode(`n:${INPUT}`, { ...TRIGGER });
	for (const { id } of of.nodes) graph.setNode(`n:${id}`, { ...NODE });
	for (const { id } of of.loops) graph.setNode(`l:${id}`, {});
	for (const { id, parent } of of.loops) if (parent !== null) graph.setParent(`l:${id}`, `l:${parent}`);
	for (const [node, loop] of of.loopByNode) graph.setParent(`n:${node}`, `l:${loop}`);
	for (const { id, from, to } of of.edges) {
		const width = estimateLabelWidth(getLabel(id));
		const label = { width, height: width === 0 ? 0 : LABEL_HEIGHT, labelpos: "c" };
		graph.setEdge(`n:${from}`, `n:${to}`, label, id);
	}
	layout(graph);

	const readBox = (name: string): Box => {
		const { x, y, width, height } = graph.node(name) as Box;
		return { x: x - width / 2, y: y - height / 2, width, height };
	};
	const nodes = [INPUT, ...of.nodes.map(({ id }) => id)].map((id) => [id, readBox(`n:${id}`)] as const);
	const loops = of.loops.map(({ id }) => [id, addLoopHead(readBox(`l:${id}`))] as const);
	const edges = of.edges.map(({ id, from, to }) => {
		const edge = graph.edge(`n:${from}`, `n:${to}`, id) as Partial<Point> & { points: Point[] };
		const middle = edge.points[Math.floor(edge.points.length / 2)] ?? { x: 0, y: 0 };
		return [id, { points: edge.points, label: { x: edge.x ?? middle.x, y: edge.y ?? middle.y } }] as const;
	});
	const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
	return { direction, nodes: new Map(nodes), loops: new Map(loops), edges: new Map(edges), width, height };
}

const addLoopHead = ({ x, y, width, height }: Box): Box => ({
	x: x - 8,
	y: y - LOOP_HEAD,
	width: width + 16,
	height: height + LOOP_HEAD + 8,
});

interface Size {
	readonly width: number;
	readonly height: number;
}
/** Above this many nodes neither direction fits on the screen, and layout is slow. */
const MAX_COMPARED_NODES = 60;

/**
 * Returns the layout for a view size: the direction in which the whole graph is shown larger. Each direction is
 * computed once.
 */
export function layouts(of: Drawn, getLabel: (edgeId: string) => string): (view: Size) => Layout {
	const made = new Map<Direction, Layout>();
	return (view) => {
		if (of.nodes.length > MAX_COMPARED_NODES) return getLayout(view.width < 640 ? "TB" : "LR");
		const across = getLayout("LR");
		if (view.width === 0 || computeZoom(across, view) >= 0.9) return across;
		const down = getLayout("TB");
		return computeZoom(down, view) > computeZoom(across, view) * 1.15 ? down : across;
	};

	function getLayout(direction: Direction): Layout {
		const known = made.get(direction) ?? layOut(of, direction, getLabel);
		made.set(direction, known);
		return known;
	}
}

const computeZoom = (of: Layout, view: Size): number =>
	Math.min(1, view.width / of.width, view.height / of.height);

/** A smooth line through the layout's points (a uniform cubic B-spline). */
export function buildCurve(points: readonly Point[]): string {
	const [first, ...rest] = points;
	const last = points.at(-1);
	if (first === undefined || last === undefined) return "";
	if (rest.length < 2) return `M${formatPoint(first)}L${formatPoint(last)}`;
	let path = `M${formatPoint(first)}`;
	let [before, now] = [first, first];
	for (const next of rest) {
		path += buildSegment(before, now, next);
		[before, now] = [now, next];
	}
	return `${path}${buildSegment(before, now, last)}L${formatPoint(last)}`;
}

/** The first point is doubled, so that the line starts exactly there. */
function buildSegment(a: Point, b: Point, c: Point): string {
	const one = { x: (2 * a.x + b.x) / 3, y: (2 * a.y + b.y) / 3 };
	const two = { x: (a.x + 2 * b.x) / 3, y: (a.y + 2 * b.y) / 3 };
	const end = { x: (a.x + 4 * b.x + c.x) / 6, y: (a.y + 4 * b.y + c.y) / 6 };
	return `C${formatPoint(one)} ${formatPoint(two)} ${formatPoint(end)}`;
}

const formatPoint = ({ x, y }: Point): string => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
