import type { ApiOperation } from "@tripline/contract/recipes";
import { choice, integer, list, number, text } from "../schema-words.ts";
import { answer, anyOf, object, orNull, params } from "./schema.ts";

const usage = object("What it cost", {
	prompt_tokens: integer("Tokens of the input"),
	total_tokens: integer("All tokens"),
});

/** What OpenAI and every compatible service offer, below the base URL. */
export const openaiOperations = (
	chatModel: string,
	embeddingModel: string,
	below: { path: string; params: Parameters<typeof params>[0] } = { path: "", params: {} },
): Record<"chat" | "embed" | "list_models", ApiOperation> => ({
	chat: {
		title: "Answer a conversation",
		description: "The answer's text is choices[0].message.content. The component llm_chat is simpler.",
		method: "POST",
		path: `${below.path}/chat/completions`,
		params: params(
			{
				model: text(`The model's id, such as ${chatModel}`),
				messages: list(
					object("A message", {
						role: choice(["system", "developer", "user", "assistant", "tool"], "Who says it"),
						content: { description: "Text, or a list of parts" },
					}),
					"The conversation so far",
					{ minItems: 1 },
				),
			},
			{
				temperature: number("0 is steady, 2 is wild", { minimum: 0, maximum: 2 }),
				max_tokens: integer("Longest answer, in tokens; some models want max_completion_tokens", {
					minimum: 1,
				}),
				max_completion_tokens: integer("Longest answer with reasoning, in tokens", { minimum: 1 }),
				response_format: object("{ type: json_object }, or { type: json_schema, json_schema }"),
				tools: list(object("A tool"), "Functions the model may ask for"),
				tool_choice: { description: "auto, none, required, or one tool" },
				stop: anyOf([{ type: "string" }, { type: "array", items: { type: "string" } }], "Where to stop"),
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
						message: object("What the model says", {
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
		title: "Turn texts into vectors",
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
			{ dimensions: integer("How long the vectors are", { minimum: 1 }), ...below.params },
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
						index: integer("Which text it is of"),
						embedding: list({ type: "number" }, "Its numbers"),
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
				data: list(object("A model", { id: text("Its id"), owned_by: text("Who made it") }), "The models"),
			}),
		},
		examples: [{ title: "All", params: {} }],
	},
});
