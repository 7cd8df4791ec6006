import { MultiDirectedGraph } from "graphology";
import Sigma from "sigma";
import { createEdgeArrowProgram } from "sigma/rendering";
import type { EdgeDisplayData, NodeDisplayData } from "sigma/types";
import { type Colours, coloursNow, mixed } from "./colours.ts";
import { dashedEdgeProgram } from "./dashed-edge.ts";
import { edgeLabelDrawing, hoverDrawing, labelDrawing, shortName } from "./drawing.ts";
import type { GraphNode } from "./knowledge-graph.ts";
import { layoutRun } from "./layout-run.ts";
import type { Link } from "./links.ts";
import { type Direction, nearestTowards, type Point, placesFor } from "./placing.ts";
import { drawing } from "./webgl.ts";

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

interface Handlers {
	onNode(key: string): void;
	onExpand(key: string): void;
	onLink(key: string): void;
	onNothing(): void;
	onRunning(isRunning: boolean): void;
}

type NodeLook = Point & { readonly name: string };

const ARROW = { lengthToThicknessRatio: 4, widenessToThicknessRatio: 3 };
const FEW_LINKS = 60;
/** So many nodes are drawn in full size. */
const ROOM_FOR = 300;
/** So few have room for all their names. */
const FEW_NODES = 80;
/** Lines that are clicked are drawn twice. */
const MOST_CLICKABLE = 1500;
const BIG_GRAPH = 1000;

/** What is drawn: keeps the library's graph and camera in step with the scene. */
export class GraphView {
	readonly #graph = new MultiDirectedGraph();
	readonly #sigma: Sigma;
	readonly #layout: ReturnType<typeof layoutRun>;
	readonly #handlers: Handlers;
	#colours: Colours = coloursNow();
	#scene: Scene | null = null;
	#near: ReadonlySet<string> = new Set();
	#isFirst = true;
	#scale = 1;

	constructor(container: HTMLElement, handlers: Handlers) {
		this.#handlers = handlers;
		const colours = () => this.#colours;
		this.#sigma = new Sigma(this.#graph, container, {
			defaultEdgeType: "said",
			edgeProgramClasses: { said: createEdgeArrowProgram(ARROW), dashed: dashedEdgeProgram(ARROW) },
			defaultDrawNodeLabel: labelDrawing(colours),
			defaultDrawNodeHover: hoverDrawing(colours),
			defaultDrawEdgeLabel: edgeLabelDrawing(colours),
			nodeReducer: (key, look) => this.#nodeLook(key, look as NodeLook),
			edgeReducer: (key) => this.#edgeLook(key),
			labelFont: this.#colours.font,
			edgeLabelFont: this.#colours.font,
			labelSize: 13,
			edgeLabelSize: 12,
			labelDensity: 0.7,
			labelGridCellSize: 110,
			renderEdgeLabels: true,
			enableEdgeEvents: true,
			stagePadding: 48,
			zIndex: true,
			minCameraRatio: 0.02,
			maxCameraRatio: 8,
			doubleClickZoomingRatio: 1,
		});
		this.#layout = layoutRun({
			onPositions: (positions) => this.#move(positions),
			onRunning: (isRunning) => {
				if (!isRunning) this.#isFirst = false;
				handlers.onRunning(isRunning);
			},
		});
		this.#listen(container);
	}

	#listen(container: HTMLElement): void {
		this.#sigma.on("clickNode", ({ node }) => this.#handlers.onNode(node));
		this.#sigma.on("doubleClickNode", ({ node, preventSigmaDefault }) => {
			preventSigmaDefault();
			this.#handlers.onExpand(node);
		});
		this.#sigma.on("clickEdge", ({ edge }) => this.#handlers.onLink(edge));
		this.#sigma.on("clickStage", () => this.#handlers.onNothing());
		for (const event of ["enterNode", "enterEdge"] as const)
			this.#sigma.on(event, () => container.classList.add("pointing"));
		for (const event of ["leaveNode", "leaveEdge"] as const)
			this.#sigma.on(event, () => container.classList.remove("pointing"));
	}

	show(scene: Scene): void {
		const isOther = this.#scene?.start !== scene.start;
		if (isOther) {
			this.#graph.clear();
			this.#isFirst = true;
			this.#sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
		}
		this.#scene = scene;
		this.#near = nearTo(scene);
		this.#scale = Math.max(0.35, Math.min(1, Math.sqrt(ROOM_FOR / scene.shownNodes.size)));
		const fresh = this.#take(scene);
		this.#sigma.setSettings({
			enableEdgeEvents: scene.shownLinks.size <= MOST_CLICKABLE,
			hideEdgesOnMove: drawing().isSoftware && scene.shownLinks.size > MOST_CLICKABLE,
			labelRenderedSizeThreshold: scene.shownNodes.size <= FEW_NODES ? 0 : 6 * this.#scale,
		});
		if (fresh !== null) this.#start(fresh);
		else this.#sigma.refresh({ skipIndexation: true });
	}

	/** The keys that are new, or null where nothing is. */
	#take({ nodes, links, start }: Scene): ReadonlySet<string> | null {
		const before = this.#graph.size;
		const fresh = [...nodes.keys()].filter((key) => !this.#graph.hasNode(key));
		const placed = new Map<string, Point>(this.#graph.mapNodes((key, { x, y }) => [key, { x, y }]));
		const places = placesFor(
			fresh.toSorted((one, other) => +(other === start) - +(one === start)),
			links,
			placed,
		);
		for (const [key, place] of places)
			this.#graph.addNode(key, { ...place, name: shortName(nodes.get(key)?.name ?? key) });
		for (const { key, source, target } of links)
			if (!this.#graph.hasEdge(key)) this.#graph.addDirectedEdgeWithKey(key, source, target);
		if (fresh.length === 0 && this.#graph.size === before) return null;
		return new Set(fresh);
	}

	#start(fresh: ReadonlySet<string> | "all"): void {
		const keys = this.#graph.nodes();
		const at = new Map(keys.map((key, index) => [key, index]));
		const ends = this.#graph.mapEdges((_key, _look, source, target) => [
			at.get(source) ?? 0,
			at.get(target) ?? 0,
		]);
		const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
		if (this.#isFirst) this.#frame();
		this.#layout.start({
			positions: new Float32Array(
				keys.flatMap((key) => [
					this.#graph.getNodeAttribute(key, "x"),
					this.#graph.getNodeAttribute(key, "y"),
				]),
			),
			settled: new Uint8Array(keys.map((key) => (fresh === "all" || fresh.has(key) ? 0 : 1))),
			ends: new Uint32Array(ends.flat()),
			everyMs: isStill ? 3000 : keys.length > BIG_GRAPH ? 200 : 30,
		});
	}

	#move(positions: Float32Array): void {
		let index = 0;
		this.#graph.updateEachNodeAttributes(
			(_key, look) => {
				const at = 2 * index++;
				return { ...look, x: positions[at] ?? look.x, y: positions[at + 1] ?? look.y };
			},
			{ attributes: ["x", "y"] },
		);
		if (this.#isFirst) this.#frame();
	}

	/** The frame that the camera moves in is set once: with one that followed the nodes, all would move on the screen. */
	#frame(): void {
		const shown = this.#scene?.shownNodes;
		const [xs, ys]: [number[], number[]] = [[], []];
		this.#graph.forEachNode((key, { x, y }) => {
			if (shown !== undefined && shown.size > 0 && !shown.has(key)) return;
			xs.push(x);
			ys.push(y);
		});
		if (xs.length === 0) return;
		this.#sigma.setCustomBBox({ x: rangeOf(xs), y: rangeOf(ys) });
		this.#sigma.scheduleRefresh();
	}

	#nodeLook(key: string, look: NodeLook): Partial<NodeDisplayData> {
		const scene = this.#scene;
		const isChosen = key === scene?.chosenNode;
		const isOff = this.#near.size > 0 && !this.#near.has(key);
		const { chosen, expanded, node, card } = this.#colours;
		const colour =
			key === scene?.start || isChosen ? chosen : scene?.expanded.has(key) === true ? expanded : node;
		return {
			x: look.x,
			y: look.y,
			size:
				(Math.min(14, 3.5 + 1.3 * Math.sqrt(this.#graph.degree(key))) + (key === scene?.start ? 3 : 0)) *
				this.#scale,
			label: look.name,
			color: isOff ? mixed(colour, card, 0.55) : colour,
			hidden: scene?.shownNodes.has(key) !== true,
			highlighted: isChosen,
			forceLabel: isChosen || key === scene?.start,
			zIndex: isChosen ? 2 : isOff ? 0 : 1,
		};
	}

	#edgeLook(key: string): Partial<EdgeDisplayData> {
		const scene = this.#scene;
		const link = scene?.shownLinks.get(key);
		if (scene === null || link === undefined) return { hidden: true };
		const isChosen = key === scene.chosenLink;
		const isNear = link.source === scene.chosenNode || link.target === scene.chosenNode;
		const { chosen, edge, faded, soft, card } = this.#colours;
		const plain = link.isActive ? (isNear ? soft : edge) : faded;
		const isOff = this.#near.size > 0 && !isNear && !isChosen;
		return {
			type: link.isActive ? "said" : "dashed",
			size: (isChosen ? 2.4 : isNear ? 1.7 : 1.3) * this.#scale,
			color: isChosen ? chosen : isOff ? mixed(plain, card, 0.35) : plain,
			label: isNear || isChosen || scene.shownLinks.size <= FEW_LINKS ? link.label : null,
			forceLabel: isChosen || isNear,
			zIndex: isChosen || isNear ? 1 : 0,
		};
	}

	/** After the theme has changed. */
	recolour(): void {
		this.#colours = coloursNow();
		this.#sigma.refresh({ skipIndexation: true });
	}

	zoom(factor: number): void {
		const camera = this.#sigma.getCamera();
		camera.animate({ ratio: camera.ratio / factor }, { duration: 150 });
	}

	fit(): void {
		this.#frame();
		this.#sigma.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1 }, { duration: 200 });
	}

	pause(): void {
		this.#layout.stop();
	}

	resume(): void {
		this.#start("all");
	}

	/** Brings a node into view that is not. */
	reveal(key: string): void {
		const data = this.#sigma.getNodeDisplayData(key);
		if (data === undefined) return;
		const { x, y } = this.#sigma.framedGraphToViewport(data);
		const { width, height } = this.#sigma.getDimensions();
		const margin = 40;
		if (x > margin && y > margin && x < width - margin && y < height - margin) return;
		this.#sigma.getCamera().animate({ x: data.x, y: data.y }, { duration: 250 });
	}

	/** The node next to one on the screen. */
	nextTo(key: string, direction: Direction): string | null {
		const from = this.#sigma.getNodeDisplayData(key);
		if (from === undefined) return null;
		const points = [...(this.#scene?.shownNodes ?? [])].flatMap((each) => {
			const data = each === key ? undefined : this.#sigma.getNodeDisplayData(each);
			return data === undefined ? [] : [[each, this.#sigma.framedGraphToViewport(data)] as const];
		});
		return nearestTowards(this.#sigma.framedGraphToViewport(from), direction, points);
	}

	end(): void {
		this.#layout.end();
		this.#sigma.kill();
	}
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

function rangeOf(values: readonly number[]): [number, number] {
	let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const value of values) {
		least = Math.min(least, value);
		most = Math.max(most, value);
	}
	return most - least < 1 ? [least - 50, most + 50] : [least, most];
}
