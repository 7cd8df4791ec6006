import type { ApiOperation } from "@tripline/contract/recipes";
import { choice, integer, list, number, text } from "../schema-words.ts";
import { answer, anyOf, object, orNull, params } from "./schema.ts";

const usage = object("Token usage", {
	prompt_tokens: integer("Input tokens"),
	total_tokens: integer("Total tokens"),
});

/** The operations that OpenAI and all compatible services offer below the base URL. */
export const openaiOperations = (
	chatModel: string,
	embeddingModel: string,
	below: { path: string; params: Parameters<typeof params>[0] } = { path: "", params: {} },
): Record<"chat" | "embed" | "list_models", ApiOperation> => ({
	chat: {
		title: "Get a reply to a conversation",
		description: "The answer's text is choices[0].message.content. The component llm_chat is simpler.",
		method: "POST",
		path: `${below.path}/chat/completions`,
		params: params(
			{
				model: text(`The model's id, such as ${chatModel}`),
				messages: list(
					object("A message", {
						role: choice(["system", "developer", "user", "assistant", "tool"], "Author of the message"),
						content: { description: "Text, or a list of parts" },
					}),
					"The messages so far",
					{ minItems: 1 },
				),
			},
			{
				temperature: number("Randomness of the answer", { minimum: 0, maximum: 2 }),
				max_tokens: integer(
					"Maximum length of the answer in tokens; some models require max_completion_tokens instead",
					{
						minimum: 1,
					},
				),
				max_completion_tokens: integer("Maximum length of the answer including reasoning, in tokens", {
					minimum: 1,
				}),
				response_format: object("{ type: json_object }, or { type: json_schema, json_schema }"),
				tools: list(object("A tool"), "Functions the model may call"),
				tool_choice: { description: "auto, none, required, or one tool" },
				stop: anyOf(
					[{ type: "string" }, { type: "array", items: { type: "string" } }],
					"Texts that end the answer",
				),
				...below.params,
			},
		),
		body: {
			kind: "json",
			value: {
				model: "{{params.model}}",
				messages: "{{params.messages}}",
				temperature: "{{params.temperature}}",
				max_tokens: "{{params.max_tokens}}",
				max_completion_tokens: "{{params.max_completion_tokens}}",
				response_format: "{{params.response_format}}",
				tools: "{{params.tools}}",
				tool_choice: "{{params.tool_choice}}",
				stop: "{{params.stop}}",
			},
		},
		output: {
			schema: answer({
				id: text("The answer's id"),
				model: text("The model that answered"),
				choices: list(
					object("An answer", {
						message: object("The model's message", {
							role: text("assistant"),
							content: orNull(text("Its text")),
						}),
						finish_reason: text("stop, length, tool_calls or content_filter"),
					}),
					"The answers",
				),
				usage,
			}),
		},
		examples: [
			{
				title: "A haiku",
				params: { model: chatModel, messages: [{ role: "user", content: "A haiku about rain" }] },
			},
		],
	},
	embed: {
		title: "Embed texts",
		method: "POST",
		path: `${below.path}/embeddings`,
		params: params(
			{
				model: text(`The model's id, such as ${embeddingModel}`),
				input: anyOf(
					[{ type: "string" }, { type: "array", items: { type: "string" } }],
					"One text, or several",
				),
			},
			{ dimensions: integer("Length of the vectors", { minimum: 1 }), ...below.params },
		),
		body: {
			kind: "json",
			value: {
				model: "{{params.model}}",
				input: "{{params.input}}",
				dimensions: "{{params.dimensions}}",
				encoding_format: "float",
			},
		},
		output: {
			schema: answer({
				data: list(
					object("A vector", {
						index: integer("Index of the text"),
						embedding: list({ type: "number" }, "The vector"),
					}),
					"One per text",
				),
				usage,
			}),
		},
		examples: [{ title: "Two texts", params: { model: embeddingModel, input: ["rain", "snow"] } }],
	},
	list_models: {
		title: "List models",
		method: "GET",
		path: `${below.path}/models`,
		params: params({}, below.params),
		output: {
			schema: answer({
				data: list(object("A model", { id: text("Its id"), owned_by: text("Owner") }), "The models"),
			}),
		},
		examples: [{ title: "All", params: {} }],
	},
});
