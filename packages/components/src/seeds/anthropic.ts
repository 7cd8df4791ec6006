import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, number, text } from "../schema-words.ts";
import { answer, anyOf, object, orNull, params } from "./schema.ts";

const headers = { "anthropic-version": "2023-06-01" };
const model = text("The model's id, such as claude-sonnet-4-5");
const messages = list(
	object("A message", {
		role: choice(["user", "assistant"], "Author of the message"),
		content: { description: "Text, or a list of content blocks" },
	}),
	"The messages so far",
	{ minItems: 1 },
);
const system = anyOf([{ type: "string" }, { type: "array" }], "System prompt");
const tools = list(object("A tool: name, description, input_schema"), "Tools the model may call");
const tool_choice = object("Such as { type: auto } or { type: tool, name }");

export const anthropic: ApiRecipe = {
	id: "anthropic",
	category: "ai",
	title: "Anthropic",
	description: "Messages with Claude models, and token counts.",
	auth: "anthropic_key",
	base_url: "https://api.anthropic.com/v1",
	docs_url: "https://platform.claude.com/docs/en/api/overview",
	operations: {
		create_message: {
			title: "Get a reply to a conversation",
			description: "The answer's text is content[0].text. The component llm_chat is simpler.",
			method: "POST",
			path: "/messages",
			params: params(
				{ model, messages },
				{
					max_tokens: integer("Maximum length of the answer in tokens", { minimum: 1, default: 1024 }),
					system,
					temperature: number("Randomness of the answer", { minimum: 0, maximum: 1 }),
					stop_sequences: list(text("A text"), "Texts that end the answer"),
					tools,
					tool_choice,
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					model: "{{params.model}}",
					messages: "{{params.messages}}",
					max_tokens: "{{params.max_tokens}}",
					system: "{{params.system}}",
					temperature: "{{params.temperature}}",
					stop_sequences: "{{params.stop_sequences}}",
					tools: "{{params.tools}}",
					tool_choice: "{{params.tool_choice}}",
				},
			},
			output: {
				schema: answer({
					id: text("The message's id"),
					content: list(
						object("A block", { type: text("text or tool_use"), text: text("The model's message") }),
						"The answer",
					),
					stop_reason: orNull(text("end_turn, max_tokens, stop_sequence or tool_use")),
					usage: object("Token usage", {
						input_tokens: integer("Input tokens"),
						output_tokens: integer("Output tokens"),
					}),
				}),
			},
			examples: [
				{
					title: "A haiku",
					params: {
						model: "claude-sonnet-4-5",
						messages: [{ role: "user", content: "A haiku about rain" }],
					},
				},
			],
		},
		count_tokens: {
			title: "Count the tokens of a conversation",
			method: "POST",
			path: "/messages/count_tokens",
			params: params({ model, messages }, { system, tools, tool_choice }),
			headers,
			body: {
				kind: "json",
				value: {
					model: "{{params.model}}",
					messages: "{{params.messages}}",
					system: "{{params.system}}",
					tools: "{{params.tools}}",
					tool_choice: "{{params.tool_choice}}",
				},
			},
			output: { schema: answer({ input_tokens: integer("Number of tokens") }) },
			examples: [
				{
					title: "A short conversation",
					params: { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "Hello, world" }] },
				},
			],
		},
		list_models: {
			title: "List models",
			method: "GET",
			path: "/models",
			params: params(
				{},
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 20 }),
					after_id: text("last_id of the previous page"),
				},
			),
			query: { limit: "{{params.limit}}", after_id: "{{params.after_id}}" },
			headers,
			paginate: { by: "cursor", cursor: "last_id", more: "has_more", param: "after_id", items: "data" },
			output: {
				schema: answer({
					data: list(
						object("A model", { id: text("Its id"), display_name: text("Its name") }),
						"The models, newest first",
					),
					has_more: flag("Whether there are more"),
					last_id: orNull(text("after_id for the next page")),
				}),
			},
			examples: [{ title: "All", params: { limit: 100 } }],
		},
	},
};
