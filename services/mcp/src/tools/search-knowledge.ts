import * as z from "zod";
import { shorten, takeFitting } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { KnowledgeType } from "./entry-type.ts";
import { limit, MAX_PAGE_CHARS, next } from "./fields.ts";

export const searchKnowledge = defineTool({
	name: "search_knowledge",
	title: "Search knowledge",
	description:
		"Searches entries of the knowledge store by words and by meaning, best match first, each with the matching passage. Use it before you answer questions about the user's knowledge; get_entry returns the whole text. For facts and relations use explore_graph.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		query: z.string().min(1).max(1_000).meta({ description: "What to look for, in a few words" }),
		entry_types: z
			.array(KnowledgeType)
			.min(1)
			.max(20)
			.optional()
			.meta({ description: "Only entries of these types, such as note" }),
		limit: limit(10, 50),
	}),
	output: z.object({
		entries: z.array(
			z.object({
				id: z.string(),
				entry_type: z.string(),
				page_name: z.string(),
				snippet: z.string(),
				score: z.number(),
			}),
		),
		next,
	}),
	async call({ query, entry_types, limit }, { store, namespace, signal }) {
		const found = await store.search(
			{ owner_id: namespace, q: query.toWellFormed(), limit, ...(entry_types && { entry_types }) },
			{ signal },
		);
		const items = found.map(({ id, entry_type, page_name, snippet, score }) => ({
			id,
			entry_type,
			page_name,
			snippet: shorten(snippet, 500),
			score,
		}));
		const entries = takeFitting(items, MAX_PAGE_CHARS - 500);
		const next =
			entries.length > 0
				? "get_entry returns the whole text of an entry."
				: "No match: try other or fewer words, omit entry_types, or search the graph with explore_graph.";
		return { structured: { entries, next } };
	},
});
