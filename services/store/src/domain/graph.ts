import type { Triplet } from "@tripline/contract/triplets";
import { foldName } from "./triplets.ts";

interface WalkEdge {
	readonly direction: "out" | "in";
	readonly triplet: Triplet;
}

interface Reached {
	readonly name: string;
	readonly depth: number;
	readonly direction: "out" | "in";
	readonly triplet: Triplet;
}

export interface Walk {
	/** Every visited node by folded name, with its first spelling and its distance. */
	readonly nodes: ReadonlyMap<string, { readonly name: string; readonly depth: number }>;
	/** Each triplet once, nearest first. */
	readonly reached: readonly Reached[];
	readonly truncated: boolean;
}

/**
 * Breadth-first search with one query per level. Each node is expanded once, so cycles terminate; each triplet is
 * listed once, from the end that was reached first.
 */
export async function walk(
	start: string,
	options: { readonly depth: number; readonly limit: number },
	readEdges: (names: readonly string[], limit: number) => Promise<readonly WalkEdge[]>,
): Promise<Walk> {
	const nodes = new Map([[foldName(start), { name: start.trim(), depth: 0 }]]);
	const reached = new Map<string, Reached>();
	let frontier = [foldName(start)];
	let truncated = false;
	for (let depth = 1; depth <= options.depth && frontier.length > 0 && !truncated; depth++) {
		const next: string[] = [];
		// Edges back to the previous level may fill the result, so the limit is raised by the known triplets.
		for (const edge of await readEdges(frontier, options.limit + reached.size + 1)) {
			if (reached.has(edge.triplet.id)) continue;
			if (reached.size === options.limit) {
				truncated = true;
				break;
			}
			const name = edge.direction === "out" ? edge.triplet.object : edge.triplet.subject;
			const folded = foldName(name);
			reached.set(edge.triplet.id, { name, depth, direction: edge.direction, triplet: edge.triplet });
			if (!nodes.has(folded)) {
				nodes.set(folded, { name, depth });
				next.push(folded);
			}
		}
		frontier = next;
	}
	return { nodes, reached: [...reached.values()], truncated };
}

/** The triplets that the given ones replaced, transitively. */
export function listSuperseded(ids: Iterable<string>, history: readonly Triplet[]): Triplet[] {
	const known = new Set(ids);
	// The history is newest first, so a replacement comes before what it replaced.
	return history.filter(({ id, superseded_by }) => {
		if (superseded_by === null || !known.has(superseded_by)) return false;
		known.add(id);
		return true;
	});
}
