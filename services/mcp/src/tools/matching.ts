/** Items that contain words of the query, best match first; `texts` returns the texts to search, most important first. */
export function filterMatching<Item>(
	items: readonly Item[],
	query: string,
	texts: (item: Item) => readonly string[],
): Item[] {
	const words = foldCase(query)
		.split(/[\s_.,-]+/)
		.filter((word) => word !== "");
	return items
		.map((item) => ({ item, score: computeScore(texts(item).map(foldCase), words, foldCase(query).trim()) }))
		.filter(({ score }) => score > 0)
		.sort((one, other) => other.score - one.score)
		.map(({ item }) => item);
}

function computeScore(texts: readonly string[], words: readonly string[], whole: string): number {
	if (texts[0] === whole) return Number.POSITIVE_INFINITY;
	let score = 0;
	for (const word of words) {
		const found = texts.findIndex((text) => text.includes(word));
		if (found !== -1) score += 1 / (found + 1);
	}
	return score;
}

const foldCase = (text: string): string => text.normalize("NFKC").toLowerCase();
