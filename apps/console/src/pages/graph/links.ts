import type { Fact } from "./knowledge-graph.ts";

/** A drawn line: all facts from one node to another. */
export interface Link {
	readonly key: string;
	readonly source: string;
	readonly target: string;
	readonly label: string;
	/** Whether any of its facts is current. */
	readonly isActive: boolean;
	readonly facts: readonly Fact[];
}

const MOST_NAMED = 2;

/** Groups facts between the same two nodes into one line, because separate lines would overlap. */
export function linksOf(facts: readonly Fact[]): Link[] {
	const between = new Map<string, Fact[]>();
	for (const fact of facts) {
		const key = linkKey(fact);
		const found = between.get(key);
		if (found === undefined) between.set(key, [fact]);
		else found.push(fact);
	}
	return [...between].map(([key, of]) => {
		const [first] = of as [Fact, ...Fact[]];
		const isActive = of.some((fact) => fact.isActive);
		return { key, source: first.subject, target: first.object, label: labelOf(of), isActive, facts: of };
	});
}

const linkKey = ({ subject, object }: Pick<Fact, "subject" | "object">): string => `${subject}\n${object}`;

function labelOf(facts: readonly Fact[]): string {
	const predicates = [...new Set(facts.map(({ predicate }) => predicate))];
	const named = predicates.slice(0, MOST_NAMED).join(", ");
	return predicates.length > MOST_NAMED ? `${named} +${predicates.length - MOST_NAMED}` : named;
}
