import * as z from "zod";
import { EntryType, Id, Namespace } from "./names.ts";

const MAX_QUERY_LENGTH = 1000;

export const SearchRequest = z
	.strictObject({
		owner_id: Namespace.optional(),
		q: z
			.string()
			.min(1, "must not be empty")
			.refine(
				(text) => [...text].length <= MAX_QUERY_LENGTH,
				`must be at most ${MAX_QUERY_LENGTH} characters`,
			)
			.meta({ description: "Words; the last one may be incomplete", maxLength: MAX_QUERY_LENGTH }),
		limit: z
			.int()
			.min(1)
			.max(100)
			.default(20)
			.meta({ description: "Maximum number of results: 1 to 100, default 20" }),
		entry_types: z.array(EntryType).min(1, "must not be empty").max(20).optional().meta({
			description: "Only entries of these types; internal callers may use workflow, but only alone",
		}),
		mode: z
			.unknown()
			.optional()
			.meta({ type: "string", const: "suggest", description: "The only supported mode" }),
	})
	.meta({ id: "SearchRequest" });

export const Suggestion = z
	.object({
		id: Id,
		entry_type: EntryType,
		page_name: z.string(),
		snippet: z.string().meta({ description: "Plain text: the part of the content that matches best" }),
		matches: z
			.array(z.object({ start: z.int(), end: z.int() }))
			.meta({ description: "Positions of the matches in the snippet, in UTF-16 code units" }),
		score: z.number().meta({ description: "Higher is better; comparable only within one response" }),
		why: z
			.string()
			.meta({ description: "Which words matched where", example: "title: Report; text: daily, weekly" }),
	})
	.meta({ id: "Suggestion" });
export type Suggestion = z.infer<typeof Suggestion>;

export const Suggestions = z.object({ suggestions: z.array(Suggestion) });

export const RebuildRequest = z.strictObject({
	after: z
		.int()
		.min(0)
		.default(0)
		.meta({ description: "`next` of the previous step; 0 or absent at the start" }),
});

export const RebuildStep = z.object({
	indexed: z.int().meta({ description: "How many entries this step indexed" }),
	next: z.int().nullable().meta({ description: "Where the next step starts; null at the end" }),
});
