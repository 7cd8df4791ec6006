/** Random numbers that are the same for the same seed (mulberry32). */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** From 0 to 1, without 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = this.#state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	between(min: number, max: number): number {
		return min + this.next() * (max - min);
	}

	pick<T>(items: readonly T[]): T {
		if (items.length === 0) throw new Error("nothing to pick from");
		return items[Math.floor(this.next() * items.length)] as T;
	}

	shuffle<T>(items: readonly T[]): T[] {
		return items
			.map((item) => ({ item, rank: this.next() }))
			.sort((one, other) => one.rank - other.rank)
			.map(({ item }) => item);
	}
}
