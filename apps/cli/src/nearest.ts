/** The name that was probably meant, or null. */
export function findNearest(given: string, names: readonly string[]): string | null {
	const meant = given.toLowerCase();
	const far = Math.max(1, Math.floor(meant.length / 3));
	const found = names
		.map((name) => ({ name, distance: measureDistance(meant, name.toLowerCase()) }))
		.filter(({ name, distance }) => distance <= far || (meant.length > 2 && name.startsWith(meant)))
		.sort((one, other) => one.distance - other.distance)[0];
	return found?.name ?? null;
}

/** Edit distance: characters to insert, delete, replace, or swap with the next one. */
function measureDistance(one: string, other: string): number {
	const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
	const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
	for (let i = 1; i <= one.length; i++) {
		const row = [i];
		rows.push(row);
		for (let j = 1; j <= other.length; j++) {
			const change = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
			const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
			const swap = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
			row.push(Math.min(change, swap, at(i - 1, j) + 1, at(i, j - 1) + 1));
		}
	}
	return at(one.length, other.length);
}
