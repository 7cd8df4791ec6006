export interface DiffLine {
	readonly change: "same" | "removed" | "added";
	/** With its end, so that a change of line ends is a change. */
	readonly text: string;
}

/** Lines that differ in more edits are compared no further: all of them are shown as removed and added. */
const MAX_EDITS = 600;
/** Bounds the comparisons of lines, which grow with the product of length and edits. */
const MAX_STEPS = 300_000;

export const mark = (change: DiffLine["change"], lines: readonly string[]): DiffLine[] =>
	lines.map((text) => ({ change, text }));

/** Myers' algorithm: the shortest script of edits, found by their number. */
export function compareLines(from: readonly string[], to: readonly string[]): DiffLine[] {
	const replaced = () => [...mark("removed", from), ...mark("added", to)];
	if (from.length === 0 || to.length === 0) return replaced();
	const ids = new Map<string, number>();
	const number = (line: string): number => {
		const known = ids.get(line) ?? ids.size;
		ids.set(line, known);
		return known;
	};
	const a = Int32Array.from(from, number);
	const b = Int32Array.from(to, number);
	const trace: Int32Array[] = [];
	const max = Math.min(MAX_EDITS, a.length + b.length);
	/** How far each diagonal reaches, shifted by `max + 1`. */
	const reach = new Int32Array(2 * max + 3);
	let steps = 0;
	for (let edits = 0; edits <= max; edits++) {
		for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
			const at = diagonal + max + 1;
			const isDown = diagonal === -edits || (diagonal !== edits && get(reach, at - 1) < get(reach, at + 1));
			let x = isDown ? get(reach, at + 1) : get(reach, at - 1) + 1;
			let y = x - diagonal;
			while (x < a.length && y < b.length && a[x] === b[y]) {
				x++;
				y++;
				steps++;
			}
			reach[at] = x;
			if (x >= a.length && y >= b.length) return trackBack(from, to, trace, edits, diagonal);
			if (++steps > MAX_STEPS) return replaced();
		}
		// Only the diagonals that this number of edits can reach.
		trace.push(reach.slice(max + 1 - edits, max + 2 + edits));
	}
	return replaced();
}

/** Walks back from the end over the edits that led there. */
function trackBack(
	from: readonly string[],
	to: readonly string[],
	trace: readonly Int32Array[],
	edits: number,
	last: number,
): DiffLine[] {
	const lines: DiffLine[] = [];
	let x = from.length;
	let y = to.length;
	let diagonal = last;
	for (let edit = edits; edit > 0; edit--) {
		const before = trace[edit - 1] as Int32Array;
		const reached = (on: number): number => {
			const at = on + edit - 1;
			return at < 0 || at >= before.length ? -1 : get(before, at);
		};
		const isDown = diagonal === -edit || (diagonal !== edit && reached(diagonal - 1) < reached(diagonal + 1));
		const previous = isDown ? diagonal + 1 : diagonal - 1;
		const startX = reached(previous);
		const startY = startX - previous;
		const movedX = isDown ? startX : startX + 1;
		while (x > movedX) {
			lines.push({ change: "same", text: from[--x] as string });
			y--;
		}
		if (isDown) lines.push({ change: "added", text: to[--y] as string });
		else lines.push({ change: "removed", text: from[--x] as string });
		x = startX;
		y = startY;
		diagonal = previous;
	}
	while (x > 0) lines.push({ change: "same", text: from[--x] as string });
	return lines.reverse();
}

const get = (numbers: Int32Array, at: number): number => numbers[at] as number;
