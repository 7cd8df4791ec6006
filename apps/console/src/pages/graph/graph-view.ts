import { MultiDirectedGraph } from "graphology";
import Sigma from "sigma";
import { createEdgeArrowProgram } from "sigma/rendering";
import { type Colours, coloursNow } from "./colours.ts";
import { dashedEdgeProgram } from "./dashed-edge.ts";
import { edgeLabelDrawing, hoverDrawing, labelDrawing, shortName } from "./drawing.ts";
import { layoutRun } from "./layout-run.ts";
import { type Drawn, drawnOf, edgeLook, nodeLook, type Scene } from "./looks.ts";
import { type Direction, nearestTowards, type Point, placesFor } from "./placing.ts";
import { drawing } from "./webgl.ts";

interface Handlers {
	onNode(key: string): void;
	onExpand(key: string): void;
	onLink(key: string): void;
	onNothing(): void;
	onRunning(isRunning: boolean): void;
}

const ARROW = { lengthToThicknessRatio: 4, widenessToThicknessRatio: 3 };
/** So few have room for all their names. */
const FEW_NODES = 80;
/** Lines that are clicked are drawn twice. */
const MOST_CLICKABLE = 1500;
const BIG_GRAPH = 1000;
const MARGIN = 40;

/** What is drawn: keeps the library's graph and camera in step with the scene. */
export class GraphView {
	readonly #graph = new MultiDirectedGraph();
	readonly #sigma: Sigma;
	readonly #layout: ReturnType<typeof layoutRun>;
	readonly #handlers: Handlers;
	#colours: Colours = coloursNow();
	#drawn: Drawn | null = null;
	#isFirst = true;
	/** What the running layout brings in. */
	#fresh: ReadonlySet<string> = new Set();

	constructor(container: HTMLElement, handlers: Handlers) {
		this.#handlers = handlers;
		const colours = () => this.#colours;
		this.#sigma = new Sigma(this.#graph, container, {
			defaultEdgeType: "said",
			edgeProgramClasses: { said: createEdgeArrowProgram(ARROW), dashed: dashedEdgeProgram(ARROW) },
			defaultDrawNodeLabel: labelDrawing(colours),
			defaultDrawNodeHover: hoverDrawing(colours),
			defaultDrawEdgeLabel: edgeLabelDrawing(colours),
			nodeReducer: (key, { x, y, name }) => ({
				x,
				y,
				label: name,
				...(this.#drawn !== null && nodeLook(key, this.#graph.degree(key), this.#drawn, this.#colours)),
			}),
			edgeReducer: (key) =>
				this.#drawn === null ? { hidden: true } : edgeLook(key, this.#drawn, this.#colours),
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
				if (!isRunning) this.#settle();
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
		const isOther = this.#drawn?.start !== scene.start;
		if (isOther) {
			this.#graph.clear();
			this.#isFirst = true;
			this.#sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
		}
		this.#drawn = drawnOf(scene);
		const fresh = this.#take(scene);
		this.#sigma.setSettings({
			enableEdgeEvents: scene.shownLinks.size <= MOST_CLICKABLE,
			hideEdgesOnMove: drawing().isSoftware && scene.shownLinks.size > MOST_CLICKABLE,
			labelRenderedSizeThreshold: scene.shownNodes.size <= FEW_NODES ? 0 : 6 * this.#drawn.scale,
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
		this.#fresh = fresh === "all" ? new Set(keys) : fresh;
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

	/** The camera steps back as far as it takes to see what came in, beside what was in view. */
	#settle(): void {
		const wasFirst = this.#isFirst;
		this.#isFirst = false;
		if (wasFirst || this.#fresh.size === 0) return;
		// The library knows the last positions only once it has drawn them.
		this.#sigma.refresh();
		const { width, height } = this.#sigma.getDimensions();
		const [xs, ys] = [
			[0, width],
			[0, height],
		];
		for (const key of this.#fresh) {
			const data = this.#sigma.getNodeDisplayData(key);
			if (data === undefined || data.hidden) continue;
			const { x, y } = this.#sigma.framedGraphToViewport(data);
			xs.push(x - MARGIN, x + MARGIN);
			ys.push(y - MARGIN, y + MARGIN);
		}
		this.#fresh = new Set();
		const [[left, right], [top, bottom]] = [rangeOf(xs), rangeOf(ys)];
		const factor = Math.max((right - left) / width, (bottom - top) / height);
		if (factor <= 1) return;
		const middle = this.#sigma.viewportToFramedGraph({ x: (left + right) / 2, y: (top + bottom) / 2 });
		const camera = this.#sigma.getCamera();
		camera.animate({ x: middle.x, y: middle.y, ratio: camera.ratio * factor }, { duration: 300 });
	}

	/** The frame that the camera moves in is set once: with one that followed the nodes, all would move on the screen. */
	#frame(): void {
		const shown = this.#drawn?.shownNodes;
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
		if (x > MARGIN && y > MARGIN && x < width - MARGIN && y < height - MARGIN) return;
		this.#sigma.getCamera().animate({ x: data.x, y: data.y }, { duration: 250 });
	}

	/** The node next to one on the screen. */
	nextTo(key: string, direction: Direction): string | null {
		const from = this.#sigma.getNodeDisplayData(key);
		if (from === undefined) return null;
		const points = [...(this.#drawn?.shownNodes ?? [])].flatMap((each) => {
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

function rangeOf(values: readonly number[]): [number, number] {
	let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const value of values) {
		least = Math.min(least, value);
		most = Math.max(most, value);
	}
	return most - least < 1 ? [least - 50, most + 50] : [least, most];
}
