/** A hint that names what was most likely meant, or nothing if no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
	const meant = nearest(name, candidates);
	return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}

/** As many as a workflow may have nodes. */
const MOST_CANDIDATES = 1_000;

function nearest(name: string, candidates: Iterable<string>): string | undefined {
	const wanted = name.toLowerCase();
	let best: string | undefined;
	let limit = Math.min(4, Math.floor((wanted.length + 1) / 3));
	let tried = 0;
	for (const candidate of candidates) {
		if (++tried > MOST_CANDIDATES) break;
		const distance = editDistance(wanted, candidate.toLowerCase(), limit);
		if (distance > limit || candidate === name) continue;
		if (distance === 0) return candidate;
		best = candidate;
		limit = distance - 1;
	}
	return best;
}

/** Insertions, deletions, replacements and swaps of neighbours; anything above `limit` once it is exceeded. */
function editDistance(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) > limit) return limit + 1;
	let before: number[] = [];
	let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		let least = row;
		for (let column = 1; column <= b.length; column++) {
			const same = a[row - 1] === b[column - 1];
			let cost = Math.min(
				(previous[column] as number) + 1,
				(current[column - 1] as number) + 1,
				(previous[column - 1] as number) + (same ? 0 : 1),
			);
			if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
				cost = Math.min(cost, (before[column - 2] as number) + 1);
			}
			current[column] = cost;
			least = Math.min(least, cost);
		}
		if (least > limit) return limit + 1;
		before = previous;
		previous = current;
	}
	return previous[b.length] as number;
}
