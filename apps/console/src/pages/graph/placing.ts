export interface Point {
	readonly x: number;
	readonly y: number;
}

/** Position and label of a node. */
export type Place = {
	x: number;
	y: number;
	readonly name: string;
};

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const STEP = 14;

/**
 * Initial positions of new nodes, around the node they were reached from, so that the layout has little to do and
 * existing nodes need not move.
 */
export function placeNodes(
	fresh: readonly string[],
	links: readonly { readonly source: string; readonly target: string }[],
	placed: ReadonlyMap<string, Point>,
): Map<string, Point> {
	const neighbours = new Map<string, string[]>();
	for (const { source, target } of links) {
		push(source, target);
		push(target, source);
	}
	const places = new Map<string, Point>();
	const counts = new Map<string, number>();
	let waiting = [...fresh];
	while (waiting.length > 0) {
		const later: string[] = [];
		for (const key of waiting) {
			const from = neighbours.get(key)?.find((each) => placed.has(each) || places.has(each));
			const isFirst = placed.size === 0 && places.size === 0;
			if (from === undefined && !isFirst) {
				later.push(key);
				continue;
			}
			places.set(key, isFirst ? { x: 0, y: 0 } : placeAround(from as string));
		}
		if (later.length === waiting.length) {
			for (const key of later) places.set(key, placeAround(""));
			break;
		}
		waiting = later;
	}
	return places;

	function push(of: string, neighbour: string): void {
		const list = neighbours.get(of);
		if (list === undefined) neighbours.set(of, [neighbour]);
		else list.push(neighbour);
	}

	function placeAround(key: string): Point {
		const centre = placed.get(key) ?? places.get(key) ?? { x: 0, y: 0 };
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		const [angle, radius] = [count * GOLDEN_ANGLE, STEP * Math.sqrt(count)];
		return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
	}
}

export type Direction = "left" | "right" | "up" | "down";

/** The nearest point in a direction, within a right angle around it. Points straight ahead are preferred. */
export function findNearest(
	from: Point,
	direction: Direction,
	points: Iterable<readonly [string, Point]>,
): string | null {
	const [ax, ay] = AXES[direction];
	let best: string | null = null;
	let least = Number.POSITIVE_INFINITY;
	for (const [key, point] of points) {
		const [dx, dy] = [point.x - from.x, point.y - from.y];
		const ahead = dx * ax + dy * ay;
		const aside = Math.abs(dx * ay - dy * ax);
		if (ahead <= 0 || aside > ahead) continue;
		const distance = ahead + 2 * aside;
		if (distance < least) [best, least] = [key, distance];
	}
	return best;
}

/** Screen coordinates: y grows downwards. */
const AXES: Readonly<Record<Direction, readonly [number, number]>> = {
	left: [-1, 0],
	right: [1, 0],
	up: [0, -1],
	down: [0, 1],
};
