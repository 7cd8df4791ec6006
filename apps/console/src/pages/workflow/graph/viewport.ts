import { INPUT } from "./drawn.ts";
import { type Box, type Layout, TRIGGER } from "./layout.ts";

export interface Viewport {
	readonly x: number;
	readonly y: number;
	readonly zoom: number;
}
interface Size {
	readonly width: number;
	readonly height: number;
}

export const MAX_ZOOM = 1.5;
/** Minimum readable zoom. Below it the start of the graph is shown instead of the whole. */
const MIN_READABLE_ZOOM = 0.55;
const MARGIN_PX = 24;

export function fitView(layout: Layout, view: Size): Viewport {
	const zoom = Math.min(1, view.width / layout.width, view.height / layout.height);
	return {
		zoom,
		x: (view.width - layout.width * zoom) / 2,
		y: (view.height - layout.height * zoom) / 2,
	};
}

/** Shows the whole graph if it is readable, else its start. */
export function firstView(layout: Layout, view: Size): Viewport {
	const whole = fitView(layout, view);
	const start = layout.nodes.get(INPUT);
	if (whole.zoom >= MIN_READABLE_ZOOM || start === undefined) return whole;
	const zoom = 0.75;
	const [x, y] = [start.x + TRIGGER.width / 2, start.y + TRIGGER.height / 2];
	return layout.direction === "LR"
		? { zoom, x: MARGIN_PX - start.x * zoom, y: view.height / 2 - y * zoom }
		: { zoom, x: view.width / 2 - x * zoom, y: MARGIN_PX - start.y * zoom };
}

/** The part of the view that the node panel leaves free. The style sheet uses the same numbers. */
export const besidePanel = ({ width, height }: Size): Size =>
	width >= 760 ? { width: width - 330, height } : { width, height: height / 2 };

/** Moves the view as little as necessary to show a node; null if it is already visible. */
export function revealBox(now: Viewport, box: Box, view: Size): Viewport | null {
	const zoom = Math.max(now.zoom, MIN_READABLE_ZOOM);
	const x = shiftInto(now.x, box.x * zoom, box.width * zoom, view.width);
	const y = shiftInto(now.y, box.y * zoom, box.height * zoom, view.height);
	return x === now.x && y === now.y && zoom === now.zoom ? null : { x, y, zoom };
}

function shiftInto(offset: number, start: number, length: number, room: number): number {
	if (offset + start < MARGIN_PX) return MARGIN_PX - start;
	return offset + start + length > room - MARGIN_PX ? room - MARGIN_PX - start - length : offset;
}
