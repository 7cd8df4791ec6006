import type { DirectedGraph } from "graphology";
import Sigma from "sigma";
import type { Settings } from "sigma/settings";
import type { Colours } from "./colours.ts";
import { DiscProgram } from "./disc-program.ts";
import { hoverDrawing, nameDrawing } from "./drawing.ts";
import { DashedLineProgram, LineProgram } from "./line-program.ts";
import type { Place, Point } from "./placing.ts";
import { findLineAt, findNodeAt } from "./pointing.ts";

/** Creates the renderer with our drawing functions and settings. */
export function createRenderer(
	graph: DirectedGraph<Place>,
	container: HTMLElement,
	colours: () => Colours,
	reducers: Pick<Settings, "nodeReducer" | "edgeReducer">,
): Sigma {
	const names = nameDrawing(colours);
	const sigma: Sigma = new Sigma(graph, container, {
		...reducers,
		// The view is destroyed slightly after its container is removed, and may render once in between.
		allowInvalidContainer: true,
		defaultNodeType: "disc",
		nodeProgramClasses: { disc: DiscProgram },
		defaultEdgeType: "said",
		edgeProgramClasses: { said: LineProgram, dashed: DashedLineProgram },
		defaultDrawNodeLabel: names.draw,
		defaultDrawNodeHover: hoverDrawing(colours),
		labelFont: colours().font,
		labelSize: 13,
		labelDensity: 0.7,
		labelGridCellSize: 110,
		enableEdgeEvents: true,
		stagePadding: 48,
		zIndex: true,
		minCameraRatio: 0.02,
		maxCameraRatio: 8,
		doubleClickZoomingRatio: 1,
	});
	sigma.on("beforeRender", names.begin);
	return Object.assign(sigma, createHitTesting(sigma));
}

/**
 * Replaces the library's hit testing, which renders everything twice and reads the picture back. These methods are not
 * documented; a browser test covers them.
 */
const createHitTesting = (sigma: Sigma) => ({
	getNodeAtPosition: (point: Point) => findNodeAt(sigma, sigma.getGraph() as DirectedGraph<Place>, point),
	getEdgeAtPoint: (x: number, y: number) =>
		findLineAt(sigma, sigma.getGraph() as DirectedGraph<Place>, { x, y }),
});
