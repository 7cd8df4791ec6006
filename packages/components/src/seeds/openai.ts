import type { ApiRecipe } from "@tripline/contract/recipes";
import { flag, list, text } from "../schema-words.ts";
import { openaiOperations } from "./openai-operations.ts";
import { answer, anyOf, object, params } from "./schema.ts";

export const openai: ApiRecipe = {
	id: "openai",
	category: "ai",
	title: "OpenAI",
	description: "Chat, embeddings and moderation with OpenAI's models.",
	auth: "openai_key",
	base_url: "https://api.openai.com/v1",
	docs_url: "https://platform.openai.com/docs/api-reference",
	operations: {
		...openaiOperations("gpt-4o-mini", "text-embedding-3-small"),
		moderate: {
			title: "Check texts for harmful content",
			method: "POST",
			path: "/moderations",
			params: params({
				input: anyOf(
					[{ type: "string" }, { type: "array", items: { type: "string" } }],
					"One text, or several",
				),
			}),
			body: { kind: "json", value: { model: "omni-moderation-latest", input: "{{params.input}}" } },
			output: {
				schema: answer({
					model: text("The model that checked"),
					results: list(
						object("A result", {
							flagged: flag("Whether the text is harmful"),
							categories: object("true or false per category"),
							category_scores: object("Score from 0 to 1 per category"),
						}),
						"One per text",
					),
				}),
			},
			examples: [{ title: "One text", params: { input: "I like rain." } }],
		},
	},
};
