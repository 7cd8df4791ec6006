import type { DirectedGraph } from "graphology";
import Sigma from "sigma";
import { createEdgeArrowProgram } from "sigma/rendering";
import type { Settings } from "sigma/settings";
import type { Colours } from "./colours.ts";
import { dashedEdgeProgram } from "./dashed-edge.ts";
import { hoverDrawing, nameDrawing } from "./drawing.ts";

/** Where a node is, and what it is called there. */
export type Place = {
	x: number;
	y: number;
	readonly name: string;
};

const ARROW = { lengthToThicknessRatio: 4, widenessToThicknessRatio: 3 };

/** The library that draws, with how things look here. */
export function rendererOf(
	graph: DirectedGraph<Place>,
	container: HTMLElement,
	colours: () => Colours,
	reducers: Pick<Settings, "nodeReducer" | "edgeReducer">,
): Sigma {
	const names = nameDrawing(colours);
	const sigma: Sigma = new Sigma(graph, container, {
		...reducers,
		// A view ends a moment after the page has let go of it, and may be drawn once more in between.
		allowInvalidContainer: true,
		defaultEdgeType: "said",
		edgeProgramClasses: { said: createEdgeArrowProgram(ARROW), dashed: dashedEdgeProgram(ARROW) },
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
	return sigma;
}
