import type { Fact } from "./knowledge-graph.ts";

export interface FactGroup {
	readonly key: string;
	readonly predicate: string;
	readonly direction: "out" | "in";
	readonly facts: readonly Fact[];
}

/** What is said of a node: by predicate and direction, the largest group first, in a group what still holds first. */
export function groupsOf(node: string, facts: readonly Fact[]): FactGroup[] {
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

/** What replaced a fact, if that is on screen: the fact that holds the triplet its own name. */
export function replacementOf(fact: Fact, facts: Iterable<Fact>): Fact | null {
	const ids = new Set(fact.triplets.flatMap(({ superseded_by }) => superseded_by ?? []));
	if (fact.isActive || ids.size === 0) return null;
	for (const each of facts) if (each !== fact && each.triplets.some(({ id }) => ids.has(id))) return each;
	return null;
}
