import type { DirectedGraph } from "graphology";
import type Sigma from "sigma";
import { MAX_NODE_SIZE } from "./looks.ts";
import type { Place, Point } from "./placing.ts";

type View = Pick<
	Sigma,
	"viewportToGraph" | "getGraphToViewportRatio" | "scaleSize" | "getNodeDisplayData" | "getEdgeDisplayData"
>;

/** Tolerance in pixels: nobody can click a line of one pixel or a node of three exactly. */
const TOLERANCE_PX = 4;

/** The node at a screen point: the one with the nearest centre, within its disc plus tolerance. */
export function findNodeAt(view: View, graph: DirectedGraph<Place>, point: Point): string | null {
	const at = view.viewportToGraph(point);
	const pixel = 1 / view.getGraphToViewportRatio();
	const within = Math.max(view.scaleSize(MAX_NODE_SIZE), TOLERANCE_PX) * pixel;
	let [found, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
	graph.forEachNode((key, { x, y }) => {
		if (Math.abs(x - at.x) > within || Math.abs(y - at.y) > within) return;
		const node = view.getNodeDisplayData(key);
		const away = Math.hypot(x - at.x, y - at.y);
		if (node === undefined || node.hidden || away >= least) return;
		if (away <= Math.max(view.scaleSize(node.size), TOLERANCE_PX) * pixel) [found, least] = [key, away];
	});
	return found;
}

/** The line nearest to a screen point, within tolerance. */
export function findLineAt(view: View, graph: DirectedGraph<Place>, point: Point): string | null {
	const at = view.viewportToGraph(point);
	let [found, least] = [null as string | null, TOLERANCE_PX / view.getGraphToViewportRatio()];
	graph.forEachEdge((key, _look, _source, _target, from, to) => {
		const away = measureDistance(at, from, to, least);
		if (away >= least || view.getEdgeDisplayData(key)?.hidden !== false) return;
		[found, least] = [key, away];
	});
	return found;
}

/** Distance from a point to a line, exact only below `matters`. */
function measureDistance({ x, y }: Point, from: Point, to: Point, matters: number): number {
	if (Math.min(from.x, to.x) - x > matters || x - Math.max(from.x, to.x) > matters)
		return Number.POSITIVE_INFINITY;
	if (Math.min(from.y, to.y) - y > matters || y - Math.max(from.y, to.y) > matters)
		return Number.POSITIVE_INFINITY;
	const [dx, dy] = [to.x - from.x, to.y - from.y];
	const square = dx * dx + dy * dy;
	const share = square === 0 ? 0 : ((x - from.x) * dx + (y - from.y) * dy) / square;
	const nearest = Math.max(0, Math.min(1, share));
	return Math.hypot(from.x + nearest * dx - x, from.y + nearest * dy - y);
}
