import { isLoopRelation } from "@tripline/contract/workflows";
import type { Flow } from "./flow.ts";

/** Whether one node comes before another in the same region; only FOREACH and REPEAT edges leave a region. One bit per pair, for at most 1,000 nodes. */
export type IsAncestor = (ancestor: number, place: number) => boolean;

export function findAncestors(flow: Flow, order: readonly number[]): IsAncestor {
	const words = Math.ceil(order.length / 32);
	const bits = new Uint32Array(words * order.length);
	for (const from of order) {
		for (const { to, edge } of flow.outgoing[from] ?? []) {
			if (isLoopRelation(edge.on)) continue;
			for (let word = 0; word < words; word++) {
				bits[to * words + word] = (bits[to * words + word] as number) | (bits[from * words + word] as number);
			}
			const own = to * words + (from >>> 5);
			bits[own] = (bits[own] as number) | (1 << (from & 31));
		}
	}
	return (ancestor, place) =>
		((bits[place * words + (ancestor >>> 5)] as number) & (1 << (ancestor & 31))) !== 0;
}
