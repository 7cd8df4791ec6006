import { NodeName } from "@tripline/contract/triplets";
import * as z from "zod";
import { shorten, takeFitting } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { renderTriplet } from "./facts.ts";
import { MAX_PAGE_CHARS, next } from "./fields.ts";
import type { ToolContext } from "./tool.ts";

const MAX_FACTS_CHARS = MAX_PAGE_CHARS * 0.6;
const MAX_NODES_CHARS = MAX_PAGE_CHARS * 0.3;

export const exploreGraph = defineTool({
	name: "explore_graph",
	title: "Explore the graph",
	description:
		"Returns what the knowledge graph knows about something: facts as lines, subject >> predicate >> object, and descriptions of the nodes. Start from an exact name, or use query if you do not know the name. Then trace_sources shows where a fact comes from.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z
		.strictObject({
			name: NodeName.optional().meta({ description: "The node's name; case does not matter" }),
			query: z
				.string()
				.min(1)
				.max(1_000)
				.optional()
				.meta({ description: "Instead of name: words that occur in the facts" }),
			depth: z.int().min(1).max(5).default(1).meta({ description: "With name: maximum distance in steps" }),
			direction: z.enum(["out", "in", "both"]).default("both").meta({
				description: "With name: out if it is the subject, in if it is the object",
			}),
			predicate: NodeName.optional().meta({ description: "Only facts with this predicate" }),
			include_deprecated: z
				.boolean()
				.default(false)
				.meta({ description: "Include facts that no longer hold" }),
			limit: z.int().min(1).max(100).default(50).meta({ description: "Maximum number of facts" }),
		})
		.refine(({ name, query }) => (name === undefined) !== (query === undefined), {
			message: "exactly one of name and query must be given",
		}),
	output: z.object({
		facts: z.array(z.string()).meta({ description: "subject >> predicate >> object, nearest or best first" }),
		nodes: z
			.array(z.object({ name: z.string(), depth: z.int(), gloss: z.string().nullable() }))
			.meta({ description: "With name: the nodes that were reached" }),
		truncated: z.boolean(),
		next,
	}),
	async call({ name, query, ...walk }, context) {
		const found =
			name === undefined
				? await searchGraph(query as string, walk, context)
				: await walkGraph(name, walk, context);
		const facts = takeFitting(found.facts, MAX_FACTS_CHARS);
		const nodes = takeFitting(found.nodes, MAX_NODES_CHARS);
		const truncated =
			found.truncated || facts.length + nodes.length < found.facts.length + found.nodes.length;
		const next = facts.length > 0 ? describeNext(truncated) : await suggestNames(name, context);
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

async function walkGraph(
	name: string,
	walk: Walk,
	{ store, namespace, signal }: ToolContext,
): Promise<Found> {
	const { depth, direction, limit } = walk;
	const query = { owner_id: namespace, name, depth, direction, limit, ...toFilters(walk) };
	const { nodes, triplets, truncated } = await store.graph.traverse(query, { signal });
	return {
		facts: triplets.map(renderTriplet),
		nodes: nodes.map(({ name, depth, gloss }) => ({ name, depth, gloss: gloss && shorten(gloss, 300) })),
		truncated,
	};
}

async function searchGraph(q: string, walk: Walk, { store, namespace, signal }: ToolContext): Promise<Found> {
	const query = { owner_id: namespace, q: q.toWellFormed(), limit: walk.limit, ...toFilters(walk) };
	const triplets = await store.graph.search(query, { signal });
	return { facts: triplets.map(renderTriplet), nodes: [], truncated: triplets.length === walk.limit };
}

const toFilters = ({ predicate, include_deprecated }: Walk) => ({
	includeDeprecated: include_deprecated ? ("true" as const) : ("false" as const),
	...(predicate !== undefined && { predicate }),
});

const describeNext = (truncated: boolean): string =>
	`${truncated ? "There are more: narrow the search by predicate or direction. " : ""}trace_sources shows where a fact comes from.`;

/** Suggests similar names, because the name must match exactly. */
async function suggestNames(name: string | undefined, context: ToolContext): Promise<string> {
	if (name === undefined)
		return "No facts found: try other or fewer words, or search texts with search_knowledge.";
	const { store, namespace, signal } = context;
	const query = { owner_id: namespace, q: name.toWellFormed(), limit: 5 };
	const near = await store.graph.search(query, { signal });
	const names = [...new Set(near.flatMap(({ subject, object }) => [subject, object]))].slice(0, 8);
	if (names.length === 0) return "No node has that name: try query, or search texts with search_knowledge.";
	return `No node has that name. Similar names: ${names.map((each) => JSON.stringify(shorten(each, 80))).join(", ")}.`;
}
