import { NodeName, type Triplet } from "@tripline/contract/triplets";
import * as z from "zod";
import { takeFitting } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { renderFact, renderTriplet } from "./facts.ts";
import { MAX_PAGE_CHARS, next } from "./fields.ts";
import type { ToolContext } from "./tool.ts";

const MAX_SOURCES_CHARS = MAX_PAGE_CHARS * 0.6;
const MAX_FACTS_CHARS = MAX_PAGE_CHARS * 0.15;

const Source = z.object({
	uri: z.string(),
	anchor: z.string().nullable(),
	block_id: z.string().nullable(),
	content_hash: z.string(),
	confidence: z.number().nullable(),
	noted_at: z.string().nullable(),
});

export const traceSources = defineTool({
	name: "trace_sources",
	title: "Trace sources",
	description:
		"Shows where knowledge comes from. With name: all sources of the facts about a node. With subject, predicate and object: the sources of that fact, the facts it replaced, and the sources that no longer state it. Use it to cite or to verify.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z
		.strictObject({
			name: NodeName.optional().meta({ description: "A node's name" }),
			subject: NodeName.optional().meta({
				description: "Instead of name, together with predicate and object: the fact's subject",
			}),
			predicate: NodeName.optional().meta({ description: "The fact's predicate" }),
			object: NodeName.optional().meta({ description: "The fact's object" }),
		})
		.refine(
			({ name, subject, predicate, object }) =>
				[subject, predicate, object].every((part) => (part === undefined) === (name !== undefined)),
			{
				message: "either name alone, or subject, predicate and object together, must be given",
			},
		),
	output: z.object({
		about: z.string(),
		believed: z
			.boolean()
			.nullable()
			.meta({ description: "Whether a source currently states the fact; null for a node" }),
		sources: z.array(Source),
		replaced: z.array(z.string()).meta({ description: "Facts that it replaced" }),
		no_longer: z.array(z.string()).meta({ description: "Sources that no longer state it" }),
		truncated: z.boolean(),
		next,
	}),
	async call({ name, ...fact }, context) {
		const traced =
			name === undefined ? await traceFact(fact as Fact, context) : await traceNode(name, context);
		const sources = takeFitting(traced.sources, MAX_SOURCES_CHARS);
		const replaced = takeFitting(traced.replaced, MAX_FACTS_CHARS);
		const no_longer = takeFitting(traced.no_longer, MAX_FACTS_CHARS);
		const told = sources.length + replaced.length + no_longer.length;
		const truncated = told < traced.sources.length + traced.replaced.length + traced.no_longer.length;
		const next =
			sources.length > 0
				? "Cite the uri, with its anchor if there is one."
				: "No source currently states this. Find known names and facts with explore_graph.";
		return { structured: { ...traced, sources, replaced, no_longer, truncated, next } };
	},
});

interface Fact {
	readonly subject: string;
	readonly predicate: string;
	readonly object: string;
}

interface Traced {
	readonly about: string;
	readonly believed: boolean | null;
	readonly sources: readonly z.output<typeof Source>[];
	readonly replaced: readonly string[];
	readonly no_longer: readonly string[];
}

async function traceNode(name: string, { store, namespace, signal }: ToolContext): Promise<Traced> {
	const sources = await store.graph.listSources(name, { owner_id: namespace }, { signal });
	return {
		about: name,
		believed: null,
		sources: sources.map((source) => ({ ...source, confidence: null, noted_at: null })),
		replaced: [],
		no_longer: [],
	};
}

async function traceFact(fact: Fact, { store, namespace, signal }: ToolContext): Promise<Traced> {
	const belief = await store.graph.explainFact({ ...fact, owner_id: namespace }, { signal });
	return {
		about: renderFact(fact),
		believed: belief.believed,
		sources: belief.because.map(toSource),
		replaced: belief.superseded.map((triplet) => `${renderTriplet(triplet)}, by ${triplet.source_uri}`),
		no_longer: belief.no_longer.map((triplet) => triplet.source_uri),
	};
}

const toSource = (triplet: Triplet) => ({
	uri: triplet.source_uri,
	anchor: triplet.source_anchor,
	block_id: triplet.block_id,
	content_hash: triplet.content_hash,
	confidence: triplet.confidence,
	noted_at: new Date(triplet.created_at * 1000).toISOString(),
});
