import type { Block, BlockHead } from "../storage/vectors.ts";

/** Cache size for the vectors of all owners; enough for 150,000 vectors of 100 dimensions. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Caches the blocks of recent searches. A block changes only by losing vectors, so its id and its number of live
 * vectors show whether a copy is current, whichever process wrote last.
 */
export function blockCache(
	read: (ids: readonly number[]) => Promise<readonly Block[]>,
	maxBytes = CACHE_BYTES,
) {
	const kept = new Map<string, Block>();
	let bytes = 0;

	return {
		/** The blocks that still exist. `searched` is the total size of the search in bytes. */
		async get(heads: readonly BlockHead[], searched: number): Promise<readonly Block[]> {
			const found = heads.flatMap((head) => kept.get(buildKey(head)) ?? []);
			const missing = heads.filter((head) => !kept.has(buildKey(head)));
			if (missing.length === 0) return found;
			const fresh = await read(missing.map(({ id }) => id));
			// A search larger than the cache would evict every block before its next use.
			if (searched <= maxBytes) for (const block of fresh) addBlock(block);
			return [...found, ...fresh];
		},
		bytes: () => bytes,
	};

	function addBlock(block: Block): void {
		const key = buildKey(block);
		if (kept.has(key)) return;
		kept.set(key, block);
		bytes += block.vectors.length;
		for (const [oldest, { vectors }] of kept) {
			if (bytes <= maxBytes) break;
			kept.delete(oldest);
			bytes -= vectors.length;
		}
	}
}

export type BlockCache = ReturnType<typeof blockCache>;

const buildKey = ({ id, live }: { readonly id: number; readonly live: number }): string => `${id}:${live}`;
