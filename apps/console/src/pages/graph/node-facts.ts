import type { Fact } from "./knowledge-graph.ts";

export interface FactGroup {
	readonly key: string;
	readonly predicate: string;
	readonly direction: "out" | "in";
	readonly facts: readonly Fact[];
}

/** The facts of a node, grouped by predicate and direction: largest group first, current facts first. */
export function groupFacts(node: string, facts: readonly Fact[]): FactGroup[] {
	const groups = new Map<string, FactGroup & { readonly facts: Fact[] }>();
	for (const fact of facts) {
		if (fact.subject === node) add("out", fact);
		else if (fact.object === node) add("in", fact);
	}
	return [...groups.values()]
		.map((group) => ({
			...group,
			facts: group.facts.toSorted((one, other) => +other.isActive - +one.isActive),
		}))
		.sort((one, other) => other.facts.length - one.facts.length);

	function add(direction: "out" | "in", fact: Fact): void {
		const key = `${direction} ${fact.kind}`;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { key, predicate: fact.predicate, direction, facts: [fact] });
		else group.facts.push(fact);
	}
}

/** The fact that replaced another one, if it is on screen: the one with the triplet that `superseded_by` refers to. */
export function findReplacement(fact: Fact, facts: Iterable<Fact>): Fact | null {
	const ids = new Set(fact.triplets.flatMap(({ superseded_by }) => superseded_by ?? []));
	if (fact.isActive || ids.size === 0) return null;
	for (const each of facts) if (each !== fact && each.triplets.some(({ id }) => ids.has(id))) return each;
	return null;
}
