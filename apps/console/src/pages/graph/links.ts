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

const MAX_NAMED_FACTS = 2;

/** Groups facts between the same two nodes into one line, because separate lines would overlap. */
export function groupLinks(facts: readonly Fact[]): Link[] {
	const between = new Map<string, Fact[]>();
	for (const fact of facts) {
		const key = buildLinkKey(fact);
		const found = between.get(key);
		if (found === undefined) between.set(key, [fact]);
		else found.push(fact);
	}
	return [...between].map(([key, of]) => {
		const [first] = of as [Fact, ...Fact[]];
		const isActive = of.some((fact) => fact.isActive);
		return { key, source: first.subject, target: first.object, label: buildLabel(of), isActive, facts: of };
	});
}

const buildLinkKey = ({ subject, object }: Pick<Fact, "subject" | "object">): string =>
	`${subject}\n${object}`;

function buildLabel(facts: readonly Fact[]): string {
	const predicates = [...new Set(facts.map(({ predicate }) => predicate))];
	const named = predicates.slice(0, MAX_NAMED_FACTS).join(", ");
	return predicates.length > MAX_NAMED_FACTS ? `${named} +${predicates.length - MAX_NAMED_FACTS}` : named;
}
