import type { Box } from "./layout.ts";

const DIRECTIONS: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
	ArrowRight: { x: 1, y: 0 },
	ArrowLeft: { x: -1, y: 0 },
	ArrowDown: { x: 0, y: 1 },
	ArrowUp: { x: 0, y: -1 },
};
/** Weight of the sideways distance: nodes straight ahead are preferred. */
const ASIDE_WEIGHT = 2.5;

/** The node an arrow key moves to; null if there is none in that direction or the key is not an arrow key. */
export function findNeighbour(boxes: ReadonlyMap<string, Box>, from: string, key: string): string | null {
	const [direction, start] = [DIRECTIONS[key], boxes.get(from)];
	if (direction === undefined || start === undefined) return null;
	let best: { readonly id: string; readonly far: number } | null = null;
	for (const [id, box] of boxes) {
		const across = box.x + box.width / 2 - (start.x + start.width / 2);
		const down = box.y + box.height / 2 - (start.y + start.height / 2);
		const ahead = across * direction.x + down * direction.y;
		const aside = Math.abs(across * direction.y) + Math.abs(down * direction.x);
		// Behind or too far to the side: another key leads there.
		if (id === from || ahead <= 1 || aside > ahead * 4) continue;
		const far = ahead + aside * ASIDE_WEIGHT;
		if (best === null || far < best.far) best = { id, far };
	}
	return best?.id ?? null;
}
