import type { Settings } from "sigma/settings";
import type { Colours } from "./colours.ts";

type DrawLabel = Settings["defaultDrawNodeLabel"];
type DrawHover = Settings["defaultDrawNodeHover"];

const MAX_NAME_LENGTH = 40;
const LINE_NAME_SIZE = 12;
/** Minimum room for a line's name. */
const MIN_LINE_NAME_PX = 12;

/** Shortens a name by characters, so that no surrogate pair is split. */
export function shortenName(name: string): string {
	const characters = [...name];
	return characters.length <= MAX_NAME_LENGTH
		? name
		: `${characters.slice(0, MAX_NAME_LENGTH - 1).join("")}…`;
}

/**
 * Draws node names with an outline in the background colour, so that they are readable over lines. Names must not
 * overlap: the library limits how many there are per cell, but ignores their length.
 */
export function nameDrawing(colours: () => Colours): { begin(): void; draw: DrawLabel } {
	const widths = new Map<string, number>();
	let written: { readonly left: number; readonly right: number; readonly base: number }[] = [];
	return {
		/** Call before each frame. */
		begin(): void {
			written = [];
		},
		draw(context, { label, x, y, size, highlighted, forceLabel }, settings) {
			if (!label || highlighted === true) return;
			const { ink, card } = colours();
			context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
			const width = widths.get(label) ?? context.measureText(label).width;
			widths.set(label, width);
			const left = findLabelLeft(context, x, size + 4, width);
			const [right, base] = [left + width, y + settings.labelSize / 3];
			const isTaken = written.some(
				(each) =>
					each.left < right && left < each.right && Math.abs(each.base - base) < settings.labelSize + 2,
			);
			if (isTaken && forceLabel !== true) return;
			written.push({ left, right, base });
			context.lineJoin = "round";
			context.lineWidth = 3;
			context.strokeStyle = card;
			context.fillStyle = ink;
			context.strokeText(label, left, base);
			context.fillText(label, left, base);
		},
	};
}

/** Draws the hovered or selected node: a ring, and its name on a background. */
export const hoverDrawing =
	(colours: () => Colours): DrawHover =>
	(context, { label, x, y, size }, settings) => {
		const { ink, card, chosen } = colours();
		context.beginPath();
		context.arc(x, y, size + 3, 0, Math.PI * 2);
		context.strokeStyle = chosen;
		context.lineWidth = 2;
		context.stroke();
		if (!label) return;
		context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
		const width = context.measureText(label).width;
		const left = findLabelLeft(context, x, size + 7, width + 14);
		const height = settings.labelSize + 9;
		context.beginPath();
		context.roundRect(left, y - height / 2, width + 14, height, 6);
		context.fillStyle = card;
		context.fill();
		context.lineWidth = 1;
		context.stroke();
		context.fillStyle = ink;
		context.fillText(label, left + 7, y + settings.labelSize / 3);
	};

/** Left edge of a name: right of the node, or left of it at the canvas edge. */
function findLabelLeft(context: CanvasRenderingContext2D, x: number, away: number, width: number): number {
	const isBeyond = x + away + width > getCanvasSize(context).width;
	return isBeyond && x - away - width > 0 ? x - away - width : x + away;
}

/** The canvas size without reading the layout, which would cost more than drawing the name. */
const getCanvasSize = ({ canvas }: CanvasRenderingContext2D) => ({
	width: canvas.width / devicePixelRatio,
	height: canvas.height / devicePixelRatio,
});

interface End {
	readonly x: number;
	readonly y: number;
	readonly size: number;
}

/** Draws a name along its line, never upside down. Each direction uses its own side of the line. */
export function drawLineName(
	context: CanvasRenderingContext2D,
	name: string,
	[source, target]: readonly [End, End],
	{ card, soft, font }: Colours,
): void {
	const [dx, dy] = [target.x - source.x, target.y - source.y];
	const room = Math.hypot(dx, dy) - source.size - target.size - 16;
	const [x, y] = [(source.x + target.x) / 2, (source.y + target.y) / 2];
	const { width, height } = getCanvasSize(context);
	// Most of hundreds of lines have no room for a name.
	if (room < MIN_LINE_NAME_PX || x < 0 || y < 0 || x > width || y > height) return;
	context.font = `${LINE_NAME_SIZE}px ${font}`;
	const shown = fitLabel(context, name, room);
	if (shown === "") return;
	const angle = Math.atan2(dy, dx);
	const isBackward = Math.abs(angle) > Math.PI / 2;
	context.save();
	context.translate(x, y);
	context.rotate(isBackward ? angle + Math.PI : angle);
	context.textAlign = "center";
	context.lineJoin = "round";
	context.lineWidth = 3;
	context.strokeStyle = card;
	context.fillStyle = soft;
	const base = isBackward ? LINE_NAME_SIZE + 1 : -4;
	context.strokeText(shown, 0, base);
	context.fillText(shown, 0, base);
	context.restore();
}

function fitLabel(context: CanvasRenderingContext2D, label: string, room: number): string {
	const { width } = context.measureText(label);
	if (width <= room) return label;
	const characters = [...label];
	const count = Math.floor((characters.length * room) / width) - 1;
	return count < 3 ? "" : `${characters.slice(0, count).join("")}…`;
}
