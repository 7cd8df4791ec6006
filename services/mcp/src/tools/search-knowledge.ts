import * as z from "zod";
import { firstFitting, shortened } from "./budget.ts";
import { tool } from "./described.ts";
import { KnowledgeType } from "./entry-type.ts";
import { limit, next, PAGE_CHARS } from "./fields.ts";

export const searchKnowledge = tool({
	name: "search_knowledge",
	title: "Search knowledge",
	description:
		"Finds entries of the knowledge store by words and by meaning, the best first, each with the passage that fits. Use it before you answer from what the user has noted. get_entry then gives the whole text; for facts and how things are connected, use explore_graph.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		query: z
			.string()
			.min(1)
			.max(1_000)
			.meta({ description: "What to look for, in a few words", examples: ["refund policy"] }),
		entry_types: z
			.array(KnowledgeType)
			.min(1)
			.max(20)
			.optional()
			.meta({ description: "Only entries of these types", examples: [["note"]] }),
		limit: limit(10, 50),
	}),
	output: z.object({
		entries: z.array(
			z.object({
				id: z.string().meta({ description: "For get_entry" }),
				entry_type: z.string(),
				page_name: z.string(),
				snippet: z.string(),
				score: z.number().meta({ description: "Higher is better; comparable within one answer" }),
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
			snippet: shortened(snippet, 500),
			score,
		}));
		const entries = firstFitting(items, PAGE_CHARS - 500);
		const next =
			entries.length > 0
				? "get_entry gives the whole text of one."
				: "Nothing fits: try other or fewer words, leave entry_types out, or look for names with explore_graph.";
		return { structured: { entries, next } };
	},
});
