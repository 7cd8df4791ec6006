import { SearchRequest, Suggestions } from "@tripline/contract/search";
import * as z from "zod";
import { define } from "./define.ts";
import { KnowledgeType } from "./kb-entry-types.ts";

export const kbSearch = define({
	id: "kb_search",
	title: "Search",
	description: "Searches the knowledge store by words and, for embedded entries, by meaning.",
	params: z.strictObject({
		q: SearchRequest.shape.q.meta({
			description: "Search text; the last word may be incomplete",
		}),
		limit: z.int().min(1).max(100).default(20).meta({ description: "Maximum number of results" }),
		entry_types: z
			.array(KnowledgeType, "must be a list of entry types")
			.min(1, "must not be empty")
			.max(20, "must be at most 20 types")
			.optional()
			.meta({ description: "Only entries of these types" }),
		mode: z
			.literal("suggest", "must be suggest")
			.optional()
			.meta({ description: "Search mode; only `suggest` exists" }),
	}),
	output: Suggestions.meta({ description: "The results, best match first" }),
	examples: [
		{ title: "By words", input: { question: "green tea" }, params: { q: "{{input.question}}", limit: 3 } },
		{
			title: "No entries of that type",
			params: { q: "tea", entry_types: ["invoice"] },
			output: { suggestions: [] },
		},
	],
	run({ params: { q, limit, entry_types }, effects, signal }) {
		const types = entry_types === undefined ? {} : { entry_types };
		return effects.knowledge.search({ q, limit, ...types }, signal);
	},
});
