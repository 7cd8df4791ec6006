import type { TypeFilter, VectorStorage } from "../storage/vectors.ts";
import { createBestList } from "./best.ts";
import type { BlockCache } from "./block-cache.ts";
import type { ExternalIndex } from "./external-index.ts";
import type { Kernel } from "./kernel.ts";
import { restore } from "./quantise.ts";

export interface Near {
	readonly seq: number;
	/** Cosine similarity, above 0 and at most 1. */
	readonly similarity: number;
}

interface Query {
	readonly owner: string;
	readonly generation: number;
	readonly types: TypeFilter;
	/** Quantised. */
	readonly vector: Uint8Array;
	readonly limit: number;
}

/** About one megabyte of blocks. */
const BLOCKS_PER_READ = 16;
const BLOCKS_PER_TURN = 4 * BLOCKS_PER_READ;

/** The external index has a partition per owner and type; at most this many are queried. */
const MAX_PARTITIONS = 20;

/** Compares the query with every vector of the owner. */
export async function findNearestByScan(
	storage: VectorStorage,
	cache: BlockCache,
	kernel: Kernel,
	query: Query,
): Promise<Near[]> {
	const { owner, generation, types } = query;
	const best = createBestList<number | readonly [block: number, position: number]>(query.limit);
	// Loose vectors come first: one that is packed into a block meanwhile is then seen twice, not missed.
	const loose = await storage.readLoose(owner, generation, types);
	for (const [index, score] of kernel(query.vector, loose.vectors).entries()) {
		best.offer(score, loose.entries[index] as number);
	}
	const heads = await storage.listBlockHeads(owner, generation, types);
	const bytes = heads.reduce((sum, head) => sum + head.bytes, 0);
	for (let start = 0; start < heads.length; start += BLOCKS_PER_READ) {
		if (start > 0 && start % BLOCKS_PER_TURN === 0) await yieldTurn();
		for (const { id, vectors } of await cache.get(heads.slice(start, start + BLOCKS_PER_READ), bytes)) {
			const scores = kernel(query.vector, vectors);
			for (let position = 0; position < scores.length; position++) {
				const score = scores[position] as number;
				if (score > best.bar()) best.offer(score, [id, position]);
			}
		}
	}
	const places = best.kept().flatMap(({ item }) => (typeof item === "number" ? [] : [item]));
	const entries = places.length === 0 ? new Map<string, number>() : await storage.findEntriesAt(places);
	return removeDuplicates(
		best.kept().flatMap(({ item, similarity }) => {
			const seq = typeof item === "number" ? item : entries.get(item.join(":"));
			return seq === undefined ? [] : [{ seq, similarity }];
		}),
	);
}

/** Queries the external index and compares vectors that it may not show yet. */
export async function findNearestByIndex(
	storage: VectorStorage,
	kernel: Kernel,
	ask: ExternalIndex["query"],
	query: Query & { readonly now: number },
): Promise<Near[]> {
	const { owner, generation, types, limit } = query;
	const unseen = await storage.readUnseen(owner, generation, types, query.now);
	const best = createBestList<number>(limit);
	for (const [place, score] of kernel(query.vector, unseen.vectors).entries()) {
		best.offer(score, unseen.entries[place] as number);
	}
	const vector = restore(query.vector);
	const found = await Promise.all(
		(await listSearchedTypes(storage, owner, types)).map((type) => ask(owner, type, vector, limit)),
	);
	const entries = await storage.findEntriesById(
		owner,
		generation,
		types,
		found.flat().map(({ id }) => id),
	);
	// Recent vectors are compared here; the index may still hold their old version.
	const late = new Set(unseen.entries);
	for (const { id, similarity } of found.flat()) {
		const seq = entries.get(id);
		if (seq !== undefined && !late.has(seq)) best.offer(similarity, seq);
	}
	return removeDuplicates(best.kept().map(({ item, similarity }) => ({ seq: item, similarity })));
}

async function listSearchedTypes(
	storage: VectorStorage,
	owner: string,
	{ only, except = [] }: TypeFilter,
): Promise<string[]> {
	const types = only ?? (await storage.listTypes(owner));
	return types.filter((type) => !except.includes(type)).slice(0, MAX_PARTITIONS);
}

function removeDuplicates(found: readonly Near[]): Near[] {
	const seen = new Set<number>();
	return found.filter(({ seq }) => !seen.has(seq) && seen.add(seq));
}

const yieldTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
