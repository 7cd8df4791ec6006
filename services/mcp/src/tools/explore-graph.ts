import { NodeName } from "@tripline/contract/triplets";
import * as z from "zod";
import { firstFitting, shortened } from "./budget.ts";
import { tool } from "./described.ts";
import { shownFact } from "./facts.ts";
import { next, PAGE_CHARS } from "./fields.ts";
import type { ToolContext } from "./tool.ts";

const FACTS_ROOM = PAGE_CHARS * 0.6;
const NODES_ROOM = PAGE_CHARS * 0.3;

export const exploreGraph = tool({
	name: "explore_graph",
	title: "Explore the graph",
	description:
		"What the knowledge graph says of something: facts as lines, subject >> predicate >> object, and what the nodes are. Start from an exact name, or by query when the name is not known. trace_sources then tells where a fact comes from.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z
		.strictObject({
			name: NodeName.optional().meta({
				description: "The node's name; case does not matter",
				examples: ["Ada Lovelace"],
			}),
			query: z
				.string()
				.min(1)
				.max(1_000)
				.optional()
				.meta({ description: "Instead of name: words that the facts have", examples: ["analytical engine"] }),
			depth: z
				.int()
				.min(1)
				.max(5)
				.default(1)
				.meta({ description: "With name: how many steps away, 1 to 5; default 1" }),
			direction: z
				.enum(["out", "in", "both"])
				.default("both")
				.meta({ description: "With name: out: where it is the subject; in: the object; default both" }),
			predicate: NodeName.optional().meta({
				description: "Only facts with this predicate",
				examples: ["wrote"],
			}),
			include_deprecated: z
				.boolean()
				.default(false)
				.meta({ description: "Also facts that no longer hold; default false" }),
			limit: z
				.int()
				.min(1)
				.max(100)
				.default(50)
				.meta({ description: "How many facts at most: 1 to 100, default 50" }),
		})
		.refine(({ name, query }) => (name === undefined) !== (query === undefined), {
			message: "either name or query must be given, and not both",
		}),
	output: z.object({
		facts: z.array(z.string()).meta({ description: "subject >> predicate >> object, nearest or best first" }),
		nodes: z
			.array(z.object({ name: z.string(), depth: z.int(), gloss: z.string().nullable() }))
			.meta({ description: "With name: the nodes that were reached, and what they are" }),
		truncated: z.boolean().meta({ description: "There is more" }),
		next,
	}),
	async call({ name, query, ...walk }, context) {
		const found =
			name === undefined ? await searched(query as string, walk, context) : await walked(name, walk, context);
		const facts = firstFitting(found.facts, FACTS_ROOM);
		const nodes = firstFitting(found.nodes, NODES_ROOM);
		const truncated =
			found.truncated || facts.length + nodes.length < found.facts.length + found.nodes.length;
		const next = facts.length > 0 ? afterFacts(truncated) : await afterNothing(name, context);
		return { structured: { facts, nodes, truncated, next } };
	},
});

interface Walk {
	readonly depth: number;
	readonly direction: "out" | "in" | "both";
	readonly predicate?: string | undefined;
	readonly include_deprecated: boolean;
	readonly limit: number;
}

interface Found {
	readonly facts: readonly string[];
	readonly nodes: readonly { name: string; depth: number; gloss: string | null }[];
	readonly truncated: boolean;
}

async function walked(name: string, walk: Walk, { store, namespace, signal }: ToolContext): Promise<Found> {
	const { depth, direction, limit } = walk;
	const query = { owner_id: namespace, name, depth, direction, limit, ...filtersOf(walk) };
	const { nodes, triplets, truncated } = await store.graph.traverse(query, { signal });
	return {
		facts: triplets.map(shownFact),
		nodes: nodes.map(({ name, depth, gloss }) => ({ name, depth, gloss: gloss && shortened(gloss, 300) })),
		truncated,
	};
}

async function searched(q: string, walk: Walk, { store, namespace, signal }: ToolContext): Promise<Found> {
	const query = { owner_id: namespace, q: q.toWellFormed(), limit: walk.limit, ...filtersOf(walk) };
	const triplets = await store.graph.search(query, { signal });
	return { facts: triplets.map(shownFact), nodes: [], truncated: triplets.length === walk.limit };
}

const filtersOf = ({ predicate, include_deprecated }: Walk) => ({
	includeDeprecated: include_deprecated ? ("true" as const) : ("false" as const),
	...(predicate !== undefined && { predicate }),
});

const afterFacts = (truncated: boolean): string =>
	`${truncated ? "There is more: narrow it by predicate or direction. " : ""}trace_sources tells where a fact comes from.`;

/** The exact name may be another: says which names are like it. */
async function afterNothing(name: string | undefined, context: ToolContext): Promise<string> {
	if (name === undefined) return "Nothing fits: try other or fewer words, or search_knowledge for texts.";
	const { store, namespace, signal } = context;
	const query = { owner_id: namespace, q: name.toWellFormed(), limit: 5 };
	const near = await store.graph.search(query, { signal });
	const names = [...new Set(near.flatMap(({ subject, object }) => [subject, object]))].slice(0, 8);
	if (names.length === 0)
		return "Nothing is known under that name: try query, or search_knowledge for texts.";
	return `Nothing is known under that name. Names like it: ${names.map((each) => JSON.stringify(shortened(each, 80))).join(", ")}.`;
}
