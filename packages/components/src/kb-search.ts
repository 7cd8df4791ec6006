import { SearchRequest, Suggestions } from "@tripline/contract/search";
import * as z from "zod";
import { define } from "./define.ts";
import { KnowledgeType } from "./kb-entry-types.ts";

export const kbSearch = define({
	id: "kb_search",
	title: "Search",
	description:
		"Finds entries of the knowledge store by their words and, where entries are embedded, by their meaning.",
	params: z.strictObject({
		q: SearchRequest.shape.q.meta({
			description: "What to look for; the last word may be the beginning of one",
		}),
		limit: z.int().min(1).max(100).default(20).meta({ description: "How many at most" }),
		entry_types: z
			.array(KnowledgeType, "must be a list of entry types")
			.min(1, "must not be empty")
			.max(20, "must be at most 20 types")
			.optional()
			.meta({ description: "Only entries of these types" }),
		mode: z.literal("suggest", "must be suggest").optional().meta({ description: "The only mode there is" }),
	}),
	output: Suggestions.meta({ description: "The best first" }),
	examples: [
		{ title: "By words", input: { question: "green tea" }, params: { q: "{{input.question}}", limit: 3 } },
		{
			title: "Nothing of that type",
			params: { q: "tea", entry_types: ["invoice"] },
			output: { suggestions: [] },
		},
	],
	run({ params: { q, limit, entry_types }, effects, signal }) {
		const types = entry_types === undefined ? {} : { entry_types };
		return effects.knowledge.search({ q, limit, ...types }, signal);
	},
});
