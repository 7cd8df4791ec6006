import type { Triplet } from "../../api/types.ts";
import { foldName } from "./knowledge-graph.ts";

interface Candidate {
	readonly key: string;
	readonly name: string;
	/** A fact that mentions the node. */
	readonly fact: string;
}

type Statement = Pick<Triplet, "subject" | "predicate" | "object">;

/** The nodes of the facts found. Nodes whose names contain the typed text come first, the shortest first. */
export function listCandidates(triplets: readonly Statement[], typed: string): Candidate[] {
	const words = foldName(typed).split(/\s+/);
	const found = new Map<string, Candidate & { readonly hits: number }>();
	for (const { subject, predicate, object } of triplets) {
		for (const name of [subject, object]) {
			const key = foldName(name);
			if (found.has(key)) continue;
			const hits = words.filter((word) => key.includes(word)).length;
			found.set(key, { key, name, fact: `${subject} ${predicate} ${object}`, hits });
		}
	}
	const isNamed = ({ hits }: { readonly hits: number }) => hits > 0;
	const named = [...found.values()].filter(isNamed);
	return (named.length > 0 ? named : [...found.values()])
		.sort((one, other) => other.hits - one.hits || one.key.length - other.key.length)
		.map(({ key, name, fact }) => ({ key, name, fact }));
}
