export interface Scored<Item> {
	readonly item: Item;
	readonly similarity: number;
}

/** Keeps the best `limit` items. Items with a similarity of at most `bar` need not be offered. */
export function createBestList<Item>(limit: number) {
	const kept: Scored<Item>[] = [];
	let bar = 0;
	return {
		bar: () => bar,
		offer(similarity: number, item: Item): void {
			if (!(similarity > bar)) return;
			if (kept.length === limit) kept.pop();
			let place = kept.length;
			while (place > 0 && (kept[place - 1] as Scored<Item>).similarity < similarity) place--;
			kept.splice(place, 0, { item, similarity });
			if (kept.length === limit) bar = kept[limit - 1]?.similarity ?? bar;
		},
		/** Best first. */
		kept: (): readonly Scored<Item>[] => kept,
	};
}
