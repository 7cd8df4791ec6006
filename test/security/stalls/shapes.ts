/** Deterministic values of a given size. */
export const list = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));

export const object = <T>(count: number, make: (index: number) => readonly [string, T]): Record<string, T> =>
	Object.fromEntries(list(count, make));

export const createNested = (
	depth: number,
	wrap: (inner: unknown) => unknown,
	innermost: unknown = 1,
): unknown => {
	let value = innermost;
	for (let level = 0; level < depth; level++) value = wrap(value);
	return value;
};

export const text = (count: number, make: (index: number) => string, between = ""): string =>
	list(count, make).join(between);

/** As many pieces as fit into a number of characters. */
export function createFilled(characters: number, make: (index: number) => string, between = ""): string {
	const pieces: string[] = [];
	let length = 0;
	for (let index = 0; ; index++) {
		const piece = make(index);
		length += piece.length + between.length;
		if (length > characters) return pieces.join(between);
		pieces.push(piece);
	}
}

/** Deterministic pseudo-random numbers. */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
