/** FIFO within an owner, round-robin between owners. */
export class FairQueue<Item extends { readonly owner: string }> {
	/** In the order in which the owners are served. */
	readonly #byOwner = new Map<string, Set<Item>>();
	#size = 0;

	get size(): number {
		return this.#size;
	}

	countFor(owner: string): number {
		return this.#byOwner.get(owner)?.size ?? 0;
	}

	push(item: Item): void {
		this.#size++;
		const own = this.#byOwner.get(item.owner);
		if (own === undefined) this.#byOwner.set(item.owner, new Set([item]));
		else own.add(item);
	}

	/** The next item of the first owner that may be served now. */
	shift(mayBeServed: (owner: string) => boolean = () => true): Item | undefined {
		for (const [owner, own] of this.#byOwner) {
			if (!mayBeServed(owner)) continue;
			const item = own.values().next().value as Item;
			own.delete(item);
			this.#size--;
			this.#byOwner.delete(owner);
			// Reinsert at the end: all other owners come before its next item.
			if (own.size > 0) this.#byOwner.set(owner, own);
			return item;
		}
		return undefined;
	}

	/** Returns whether the item was in the queue. */
	delete(item: Item): boolean {
		const own = this.#byOwner.get(item.owner);
		if (own === undefined || !own.delete(item)) return false;
		this.#size--;
		if (own.size === 0) this.#byOwner.delete(item.owner);
		return true;
	}

	clear(): Item[] {
		const items = [...this.#byOwner.values()].flatMap((own) => [...own]);
		this.#byOwner.clear();
		this.#size = 0;
		return items;
	}
}
