/** Longer names are cut: they are not typing errors. */
const MAX_NAME_LENGTH = 128;
const MIN_SIMILARITY = 0.4;

/** The known names most similar to a given one, best first. */
export function findNearestNames(name: string, known: readonly string[], most = 3): readonly string[] {
	const wanted = listPairs(name.slice(0, MAX_NAME_LENGTH));
	return known
		.map((each) => ({ each, likeness: measureSimilarity(wanted, listPairs(each.slice(0, MAX_NAME_LENGTH))) }))
		.filter(({ likeness }) => likeness >= MIN_SIMILARITY)
		.sort((one, other) => other.likeness - one.likeness)
		.slice(0, most)
		.map(({ each }) => each);
}

/** All pairs of adjacent characters. */
function listPairs(name: string): ReadonlySet<string> {
	const text = name.toLowerCase();
	const pairs = new Set<string>();
	for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
	return pairs;
}

/** Dice's coefficient: 0 for no common pairs, 1 for the same pairs. */
function measureSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
	let common = 0;
	for (const pair of one) if (other.has(pair)) common++;
	return one.size + other.size === 0 ? 0 : (2 * common) / (one.size + other.size);
}
