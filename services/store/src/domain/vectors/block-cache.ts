import type { Block, BlockHead } from "../../storage/vectors.ts";

/** What is kept in memory of the vectors of all owners; enough for 150,000 of a hundred dimensions. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Keeps the blocks of the last searches. A block changes only by losing vectors, so its id and the number of those it
 * still has tell whether a copy is current, whoever wrote last.
 */
export function blockCache(
	read: (ids: readonly number[]) => Promise<readonly Block[]>,
	mostBytes = CACHE_BYTES,
) {
	const kept = new Map<string, Block>();
	let bytes = 0;

	return {
		/** The blocks, as far as they are still there. `searched` is the size of all that the search will read. */
		async get(heads: readonly BlockHead[], searched: number): Promise<readonly Block[]> {
			const found = heads.flatMap((head) => kept.get(keyOf(head)) ?? []);
			const missing = heads.filter((head) => !kept.has(keyOf(head)));
			if (missing.length === 0) return found;
			const fresh = await read(missing.map(({ id }) => id));
			// A search of more than fits would push out every block before it is read again.
			if (searched <= mostBytes) for (const block of fresh) keep(block);
			return [...found, ...fresh];
		},
		bytes: () => bytes,
	};

	function keep(block: Block): void {
		const key = keyOf(block);
		if (kept.has(key)) return;
		kept.set(key, block);
		bytes += block.vectors.length;
		for (const [oldest, { vectors }] of kept) {
			if (bytes <= mostBytes) break;
			kept.delete(oldest);
			bytes -= vectors.length;
		}
	}
}

export type BlockCache = ReturnType<typeof blockCache>;

const keyOf = ({ id, live }: { readonly id: number; readonly live: number }): string => `${id}:${live}`;
