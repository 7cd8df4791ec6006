/** Longer names are cut: they are not typing errors. */
const MAX_NAME_LENGTH = 128;
const MIN_SIMILARITY = 0.4;

/**
 * The known names most similar to a given one, best first. An assistant guesses a name rather than mistyping it
 * (`workflow_list` for `list_workflows`), which an edit distance would not find.
 */
export function listSimilarNames(name: string, known: readonly string[], max = 3): readonly string[] {
	const wanted = listPairs(name.slice(0, MAX_NAME_LENGTH));
	return known
		.map((each) => ({
			each,
			similarity: measureSimilarity(wanted, listPairs(each.slice(0, MAX_NAME_LENGTH))),
		}))
		.filter(({ similarity }) => similarity >= MIN_SIMILARITY)
		.sort((one, other) => other.similarity - one.similarity)
		.slice(0, max)
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
