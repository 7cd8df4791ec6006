/** Values by key that are parsed from JSON when they are first read. */
export class LazyMap<Value> implements ReadonlyMap<string, Value> {
	readonly #texts: ReadonlyMap<string, string>;
	readonly #parsed = new Map<string, Value>();

	constructor(texts: ReadonlyMap<string, string>) {
		this.#texts = texts;
	}

	get size(): number {
		return this.#texts.size;
	}

	has(key: string): boolean {
		return this.#texts.has(key);
	}

	get(key: string): Value | undefined {
		const known = this.#parsed.get(key);
		const text = this.#texts.get(key);
		if (known !== undefined || text === undefined) return known;
		const value = JSON.parse(text) as Value;
		this.#parsed.set(key, value);
		return value;
	}

	keys(): MapIterator<string> {
		return this.#texts.keys();
	}

	/** Keeps nothing of what it parses: a list needs every value, and only once. */
	*entries(): MapIterator<[string, Value]> {
		for (const [key, text] of this.#texts) yield [key, this.#parsed.get(key) ?? (JSON.parse(text) as Value)];
	}

	*values(): MapIterator<Value> {
		for (const [, value] of this.entries()) yield value;
	}

	[Symbol.iterator](): MapIterator<[string, Value]> {
		return this.entries();
	}

	forEach(use: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
		for (const [key, value] of this) use(value, key, this);
	}
}
