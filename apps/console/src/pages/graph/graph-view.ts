import { DirectedGraph } from "graphology";
import type Sigma from "sigma";
import type { Settings } from "sigma/settings";
import { type Colours, readColours } from "./colours.ts";
import { drawLineName, shortenName } from "./drawing.ts";
import { createRenderer } from "./graph-renderer.ts";
import { layoutRun } from "./layout-run.ts";
import { type Drawn, edgeLook, nodeLook, type Scene, toDrawn } from "./looks.ts";
import { type Direction, findNearest, type Place, type Point, placeNodes } from "./placing.ts";
import { detectDrawing } from "./webgl.ts";

interface Handlers {
	onNode(key: string): void;
	onExpand(key: string): void;
	onLink(key: string): void;
	onNothing(): void;
	onRunning(isRunning: boolean): void;
	/** The WebGL context was lost; this view can no longer draw. */
	onLost(): void;
}

/** Up to this many nodes, all names are shown. */
const MAX_NAMED_NODES = 80;
const MAX_MOVING_LINKS = 1500;
const BIG_GRAPH = 1000;
const MARGIN = 40;
/** Refreshes positions only, not the appearance. */
const ONLY_PLACES = { partialGraph: {} };

/** Keeps the library's graph and camera in sync with the scene. */
export class GraphView {
	#graph = new DirectedGraph<Place>();
	readonly #sigma: Sigma;
	readonly #layout: ReturnType<typeof layoutRun>;
	readonly #handlers: Handlers;
	readonly #ended = new AbortController();
	#colours: Colours = readColours();
	#drawn: Drawn | null = null;
	#isFirst = true;
	/** Nodes added by the running layout. */
	#fresh: ReadonlySet<string> = new Set();

	constructor(container: HTMLElement, handlers: Handlers) {
		this.#handlers = handlers;
		this.#sigma = createRenderer(this.#graph, container, () => this.#colours, {
			nodeReducer: (key, { x, y, name }) => ({
				x,
				y,
				label: name,
				...(this.#drawn !== null && nodeLook(key, this.#graph.degree(key), this.#drawn, this.#colours)),
			}),
			edgeReducer: (key) =>
				this.#drawn === null ? { hidden: true } : edgeLook(key, this.#drawn, this.#colours),
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
		this.#sigma.on("afterRender", () => this.#nameLines());
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
		const { signal } = this.#ended;
		container.addEventListener("webglcontextlost", this.#handlers.onLost, { capture: true, signal });
	}

	/** All scenes of a view must have the same start, and each must contain the previous one. */
	show(scene: Scene): void {
		this.#drawn = toDrawn(scene);
		this.#set({
			hideEdgesOnMove: detectDrawing().isSoftware && scene.shownLinks.size > MAX_MOVING_LINKS,
			labelRenderedSizeThreshold: scene.shownNodes.size <= MAX_NAMED_NODES ? 0 : 6 * this.#drawn.scale,
		});
		const isMore = scene.nodes.size > this.#graph.order || scene.links.length > this.#graph.size;
		if (isMore) this.#start(this.#addScene(scene));
		else this.#sigma.refresh();
	}

	/** Skips unchanged settings, because setting any makes the library recompute the appearance of everything. */
	#set(settings: Pick<Settings, "hideEdgesOnMove" | "labelRenderedSizeThreshold">): void {
		const now = this.#sigma.getSettings();
		const isSame = ([name, value]: [string, unknown]) => now[name as keyof typeof settings] === value;
		if (!Object.entries(settings).every(isSame)) this.#sigma.setSettings(settings);
	}

	/**
	 * Adds the scene to the graph and returns the new keys. The library reacts to every added node and line, so it gets a
	 * complete new graph instead.
	 */
	#addScene({ nodes, links, start }: Scene): ReadonlySet<string> {
		const places = new Map(this.#graph.mapNodes((key, place) => [key, place]));
		const fresh = [...nodes.keys()].filter((key) => !places.has(key));
		fresh.sort((one, other) => +(other === start) - +(one === start));
		for (const [key, place] of placeNodes(fresh, links, places))
			places.set(key, { ...place, name: shortenName(nodes.get(key)?.name ?? key) });
		const graph = new DirectedGraph<Place>();
		for (const [key, place] of places) graph.addNode(key, place);
		for (const { key, source, target } of links) graph.addDirectedEdgeWithKey(key, source, target);
		this.#graph = graph;
		if (this.#isFirst) this.#frame();
		this.#sigma.setGraph(graph);
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
		this.#fresh = fresh === "all" ? new Set(keys) : fresh;
		this.#layout.start({
			positions: new Float32Array(this.#graph.mapNodes((_key, { x, y }) => [x, y]).flat()),
			settled: new Uint8Array(keys.map((key) => (fresh === "all" || fresh.has(key) ? 0 : 1))),
			ends: new Uint32Array(ends.flat()),
			everyMs: isStill ? 3000 : keys.length > BIG_GRAPH ? 200 : 30,
		});
	}

	#move(positions: Float32Array): void {
		let at = 0;
		// Mutates positions without events: the library reads them when it draws, and an event would recompute all
		// appearances twice.
		this.#graph.forEachNode((_key, place) => {
			place.x = positions[at++] ?? place.x;
			place.y = positions[at++] ?? place.y;
		});
		if (this.#isFirst) this.#frame();
		this.#sigma.scheduleRefresh(ONLY_PLACES);
	}

	/** Draws line names here, because the library would check all lines in every frame for the few that have a name. */
	#nameLines(): void {
		const context = this.#sigma.getCanvases().edgeLabels?.getContext("2d");
		for (const { label, source, target } of this.#drawn?.named ?? []) {
			const [from, to] = [this.#onScreen(source), this.#onScreen(target)];
			if (context && from && to) drawLineName(context, label, [from, to], this.#colours);
		}
	}

	#onScreen(key: string): (Point & { readonly size: number }) | null {
		const data = this.#sigma.getNodeDisplayData(key);
		if (data === undefined) return null;
		return { ...this.#sigma.framedGraphToViewport(data), size: this.#sigma.scaleSize(data.size) };
	}

	/** Zooms out as far as needed to show the new nodes in addition to the current view. */
	#settle(): void {
		const wasFirst = this.#isFirst;
		this.#isFirst = false;
		if (wasFirst || this.#fresh.size === 0) return;
		// The library knows the final positions only after drawing them.
		this.#sigma.refresh(ONLY_PLACES);
		const { width, height } = this.#sigma.getDimensions();
		const [xs, ys] = [
			[0, width],
			[0, height],
		];
		for (const key of this.#fresh) {
			const at = this.#drawn?.shownNodes.has(key) ? this.#onScreen(key) : null;
			if (at === null) continue;
			const { x, y } = at;
			xs.push(x - MARGIN, x + MARGIN);
			ys.push(y - MARGIN, y + MARGIN);
		}
		this.#fresh = new Set();
		const [[left, right], [top, bottom]] = [findRange(xs), findRange(ys)];
		const factor = Math.max((right - left) / width, (bottom - top) / height);
		if (factor <= 1) return;
		const middle = this.#sigma.viewportToFramedGraph({ x: (left + right) / 2, y: (top + bottom) / 2 });
		const camera = this.#sigma.getCamera();
		camera.animate({ x: middle.x, y: middle.y, ratio: camera.ratio * factor }, { duration: 300 });
	}

	/** Sets the camera's bounding box once. If it followed the nodes, everything would move on the screen. */
	#frame(): void {
		const shown = this.#drawn?.shownNodes;
		const [xs, ys]: [number[], number[]] = [[], []];
		this.#graph.forEachNode((key, { x, y }) => {
			if (shown !== undefined && shown.size > 0 && !shown.has(key)) return;
			xs.push(x);
			ys.push(y);
		});
		if (xs.length === 0) return;
		this.#sigma.setCustomBBox({ x: findRange(xs), y: findRange(ys) });
	}

	/** Call after the theme has changed. */
	recolour(): void {
		const colours = readColours();
		if (colours.ink === this.#colours.ink) return;
		this.#colours = colours;
		this.#sigma.refresh();
	}

	/** Zooms around the selected node, if it is in view. */
	zoom(factor: number): void {
		const camera = this.#sigma.getCamera();
		const { width, height } = this.#sigma.getDimensions();
		const chosen = this.#onScreen(this.#drawn?.chosenNode ?? "");
		const around = chosen !== null && this.#isInView(chosen) ? chosen : { x: width / 2, y: height / 2 };
		const ratio = camera.getBoundedRatio(camera.ratio / factor);
		camera.animate(this.#sigma.getViewportZoomedState(around, ratio), { duration: 150 });
	}

	fit(): void {
		this.#frame();
		this.#sigma.scheduleRefresh(ONLY_PLACES);
		this.#sigma.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1 }, { duration: 200 });
	}

	pause(): void {
		this.#layout.stop();
	}

	resume(): void {
		this.#start("all");
	}

	/** Moves a node into view if it is outside. */
	reveal(key: string): void {
		const data = this.#sigma.getNodeDisplayData(key);
		if (data === undefined || this.#isInView(this.#sigma.framedGraphToViewport(data))) return;
		this.#sigma.getCamera().animate({ x: data.x, y: data.y }, { duration: 250 });
	}

	#isInView({ x, y }: Point): boolean {
		const { width, height } = this.#sigma.getDimensions();
		return x > MARGIN && y > MARGIN && x < width - MARGIN && y < height - MARGIN;
	}

	/** The nearest node on the screen in a direction. */
	findNextTo(key: string, direction: Direction): string | null {
		const from = this.#onScreen(key);
		if (from === null) return null;
		const points = [...(this.#drawn?.shownNodes ?? [])].flatMap((each) => {
			const point = each === key ? null : this.#onScreen(each);
			return point === null ? [] : [[each, point] as const];
		});
		return findNearest(from, direction, points);
	}

	end(): void {
		this.#ended.abort();
		this.#layout.end();
		this.#sigma.kill();
	}
}

function findRange(values: readonly number[]): [number, number] {
	let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const value of values) {
		min = Math.min(min, value);
		max = Math.max(max, value);
	}
	return max - min < 1 ? [min - 50, max + 50] : [min, max];
}
