/** A hint that names the closest candidate; undefined if none is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
	const meant = findNearest(name, candidates);
	return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}

/** The edit distance; `limit + 1` if it exceeds the limit. */
export const measureDistance = (one: string, other: string, limit: number): number =>
	editDistance(stripCommon(one, other), limit, { steps: Number.POSITIVE_INFINITY });

/** For one search, about a millisecond: enough for a thousand names of twenty letters. */
const MAX_STEPS = 60_000;
/** Comparing this many letters takes as long as one cell of the distance table. */
const LETTERS_PER_STEP = 4;

interface Budget {
	steps: number;
}

/** The closest candidate; undefined if none is close. */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
	const wanted = name.toLowerCase();
	let best: string | undefined;
	let limit = Math.min(4, Math.floor((wanted.length + 1) / 3));
	const budget: Budget = { steps: MAX_STEPS };
	for (const candidate of candidates) {
		budget.steps -= 1 + candidate.length / LETTERS_PER_STEP;
		if (budget.steps < 0) break;
		const distance = editDistance(stripCommon(wanted, candidate.toLowerCase()), limit, budget);
		if (distance > limit || candidate === name) continue;
		if (distance === 0) return candidate;
		best = candidate;
		limit = distance - 1;
	}
	return best;
}

interface Compared {
	readonly a: string;
	readonly b: string;
}

/** Strips the common prefix and suffix, which do not affect the distance. */
function stripCommon(a: string, b: string): Compared {
	const shorter = Math.min(a.length, b.length);
	let start = 0;
	while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
	let end = 0;
	while (end < shorter - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end))
		end++;
	return { a: a.slice(start, a.length - end), b: b.slice(start, b.length - end) };
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit + 1` if it exceeds the limit or the budget runs out. */
function editDistance({ a, b }: Compared, limit: number, budget: Budget): number {
	const far = limit + 1;
	if (Math.abs(a.length - b.length) > limit) return far;
	let before = new Uint16Array(b.length + 2);
	let previous = new Uint16Array(b.length + 2);
	let current = new Uint16Array(b.length + 2);
	for (let column = 0; column <= far; column++) previous[column] = column;
	for (let row = 1; row <= a.length; row++) {
		// Cells farther from the diagonal are above the limit.
		const first = Math.max(1, row - limit);
		const last = Math.min(b.length, row + limit);
		budget.steps -= last - first + 1;
		let least = first === 1 ? row : far;
		current[first - 1] = least;
		current[last + 1] = far;
		const letter = a.charCodeAt(row - 1);
		const letterBefore = a.charCodeAt(row - 2);
		for (let column = first; column <= last; column++) {
			const other = b.charCodeAt(column - 1);
			let cost = Math.min(
				(previous[column] as number) + 1,
				(current[column - 1] as number) + 1,
				(previous[column - 1] as number) + (letter === other ? 0 : 1),
			);
			if (letterBefore === other && letter === b.charCodeAt(column - 2)) {
				cost = Math.min(cost, (before[column - 2] as number) + 1);
			}
			current[column] = cost;
			if (cost < least) least = cost;
		}
		if (least > limit || budget.steps < 0) return far;
		const free = before;
		before = previous;
		previous = current;
		current = free;
	}
	return previous[b.length] as number;
}
