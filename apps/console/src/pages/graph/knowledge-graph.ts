import type { Traversal, Triplet } from "../../api/types.ts";

export interface GraphNode {
	readonly key: string;
	readonly name: string;
	readonly gloss: string | null;
}

/** A statement, independent of its sources. */
export interface Fact {
	readonly key: string;
	readonly subject: string;
	readonly predicate: string;
	/** The predicate, folded like a name. */
	readonly kind: string;
	readonly object: string;
	/** One triplet per source and version. */
	readonly triplets: readonly Triplet[];
	readonly isActive: boolean;
}

/** All loaded nodes and facts, by folded name and by fact key. */
export interface Known {
	readonly nodes: ReadonlyMap<string, GraphNode>;
	readonly facts: ReadonlyMap<string, Fact>;
}

export const NOTHING: Known = { nodes: new Map(), facts: new Map() };

/** Folds a name as the store does. A different fold would draw one node as two. */
export function foldName(name: string): string {
	const folded = name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
	return folded.normalize("NFKC").trim();
}

/** Merges a response. A known triplet is replaced, because it may have been deprecated since. */
export function mergeAnswer(known: Known, answer: Pick<Traversal, "nodes" | "triplets">): Known {
	const nodes = new Map(known.nodes);
	// Folding is slow, and names repeat in thousands of facts.
	const folds = new Map<string, string>();
	for (const { name, gloss } of answer.nodes) addNode(name, gloss);
	const facts = new Map(known.facts);
	for (const triplet of answer.triplets) {
		const subject = addNode(triplet.subject, null);
		const object = addNode(triplet.object, null);
		const kind = foldOnce(triplet.predicate);
		const key = `${subject}\n${kind}\n${object}`;
		const triplets = [...(facts.get(key)?.triplets.filter(({ id }) => id !== triplet.id) ?? []), triplet];
		facts.set(key, {
			key,
			subject,
			predicate: triplet.predicate,
			kind,
			object,
			triplets,
			isActive: triplets.some(({ status }) => status === "active"),
		});
	}
	return { nodes, facts };

	function addNode(name: string, gloss: string | null): string {
		const key = foldOnce(name);
		const before = nodes.get(key);
		if (before === undefined) nodes.set(key, { key, name: name.trim(), gloss });
		else if (gloss !== null && gloss !== before.gloss) nodes.set(key, { ...before, gloss });
		return key;
	}

	function foldOnce(name: string): string {
		const fold = folds.get(name) ?? foldName(name);
		folds.set(name, fold);
		return fold;
	}
}

/**
 * The nodes whose facts a traversal returned completely. A truncated traversal is complete up to the level before the
 * last one it reached.
 */
export function findCompleteNodes(
	{ nodes, truncated }: Pick<Traversal, "nodes" | "truncated">,
	depth: number,
): Set<string> {
	const deepest = nodes.reduce((most, node) => Math.max(most, node.depth), 0);
	const below = truncated ? deepest - 1 : depth;
	return new Set(nodes.filter((node) => node.depth < below).map(({ name }) => foldName(name)));
}

interface Filter {
	/** Null for all predicates. */
	readonly predicate: string | null;
	readonly withDeprecated: boolean;
}

/** The facts that match a filter. */
export function filterFacts(known: Known, { predicate, withDeprecated }: Filter): Fact[] {
	const wanted = predicate === null ? null : foldName(predicate);
	return [...known.facts.values()].filter(
		(fact) => (withDeprecated || fact.isActive) && (wanted === null || fact.kind === wanted),
	);
}

export interface PredicateCount {
	readonly key: string;
	readonly name: string;
	readonly count: number;
}

/** Counts predicates, most frequent first. */
export function countPredicates(facts: readonly Fact[]): PredicateCount[] {
	const counts = new Map<string, PredicateCount>();
	for (const { kind: key, predicate } of facts) {
		const before = counts.get(key);
		counts.set(key, { key, name: before?.name ?? predicate, count: (before?.count ?? 0) + 1 });
	}
	return [...counts.values()].sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1));
}
