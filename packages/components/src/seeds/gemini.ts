import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, integer, list, number, text } from "../schema-words.ts";
import { readTokens } from "./paging.ts";
import { answer, object, params } from "./schema.ts";

const model = text("The model's id, such as gemini-3.5-flash");
const contents = list(
	object("A turn: role user or model, and parts such as { text } or { inlineData: { mimeType, data } }", {
		role: choice(["user", "model"], "Author of the turn"),
		parts: list(object("A part", { text: text("Text") }), "The parts"),
	}),
	"The conversation so far",
	{ minItems: 1 },
);
const HELLO = [{ role: "user", parts: [{ text: "A haiku about rain" }] }];
const found = answer({
	name: text("models/ and the model's id"),
	displayName: text("Its name"),
	inputTokenLimit: integer("Maximum input in tokens"),
	outputTokenLimit: integer("Maximum output in tokens"),
	supportedGenerationMethods: list(text("Such as generateContent"), "What it can do"),
});

export const gemini: ApiRecipe = {
	id: "gemini",
	category: "ai",
	title: "Gemini",
	description: "Text and embeddings with Google's Gemini models.",
	auth: "gemini_key",
	base_url: "https://generativelanguage.googleapis.com/v1beta",
	docs_url: "https://ai.google.dev/api",
	operations: {
		generate_content: {
			title: "Get a reply to a conversation",
			description:
				"The answer's text is candidates[0].content.parts[0].text. The component llm_chat is simpler.",
			method: "POST",
			path: "/models/{model}:generateContent",
			params: params(
				{ model, contents },
				{
					system: text("System instruction"),
					temperature: number("Randomness of the answer", { minimum: 0, maximum: 2 }),
					max_output_tokens: integer("Maximum length of the answer in tokens", { minimum: 1 }),
					stop_sequences: list(text("A text"), "Texts that end the answer", { maxItems: 5 }),
					response_mime_type: text("application/json for JSON"),
					response_schema: object("JSON Schema of the answer, with response_mime_type application/json"),
					thinking: object("Such as { thinkingLevel: low }"),
					tools: list(object("Such as { functionDeclarations } or { google_search: {} }"), "Tools"),
					safety_settings: list(object("{ category, threshold }"), "What is blocked"),
				},
			),
			body: {
				kind: "json",
				value: {
					contents: "{{params.contents}}",
					systemInstruction: { parts: [{ text: "{{params.system}}" }] },
					generationConfig: {
						temperature: "{{params.temperature}}",
						maxOutputTokens: "{{params.max_output_tokens}}",
						stopSequences: "{{params.stop_sequences}}",
						responseMimeType: "{{params.response_mime_type}}",
						responseJsonSchema: "{{params.response_schema}}",
						thinkingConfig: "{{params.thinking}}",
					},
					tools: "{{params.tools}}",
					safetySettings: "{{params.safety_settings}}",
				},
			},
			output: {
				schema: answer({
					candidates: list(
						object("An answer", {
							content: object("The model's turn", {
								parts: list(object("A part", { text: text("Its text") }), "The parts"),
							}),
							finishReason: text("STOP, MAX_TOKENS, SAFETY or another reason"),
						}),
						"The answers",
					),
					usageMetadata: object("Token usage", {
						promptTokenCount: integer("Input tokens"),
						candidatesTokenCount: integer("Output tokens"),
						totalTokenCount: integer("Total tokens"),
					}),
				}),
			},
			examples: [{ title: "A haiku", params: { model: "gemini-3.5-flash", contents: HELLO } }],
		},
		embed: {
			title: "Embed a text",
			method: "POST",
			path: "/models/{model}:embedContent",
			params: params(
				{ model: text("The model's id, such as gemini-embedding-001"), text: text("The text") },
				{
					task_type: text("Such as RETRIEVAL_DOCUMENT, RETRIEVAL_QUERY or SEMANTIC_SIMILARITY"),
					dimensions: integer("Length of the vector", { minimum: 1 }),
				},
			),
			body: {
				kind: "json",
				value: {
					content: { parts: [{ text: "{{params.text}}" }] },
					taskType: "{{params.task_type}}",
					outputDimensionality: "{{params.dimensions}}",
				},
			},
			output: {
				value: "{{data.embedding.values}}",
				schema: list({ type: "number" }, "The vector"),
			},
			examples: [{ title: "A word", params: { model: "gemini-embedding-001", text: "rain" } }],
		},
		count_tokens: {
			title: "Count the tokens of a conversation",
			method: "POST",
			path: "/models/{model}:countTokens",
			params: params({ model, contents }),
			body: { kind: "json", value: { contents: "{{params.contents}}" } },
			output: { schema: answer({ totalTokens: integer("Number of tokens") }) },
			examples: [{ title: "A question", params: { model: "gemini-3.5-flash", contents: HELLO } }],
		},
		list_models: {
			title: "List models",
			method: "GET",
			path: "/models",
			params: params(
				{},
				{
					page_size: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 50 }),
					page_token: text("nextPageToken of the previous page"),
				},
			),
			query: { pageSize: "{{params.page_size}}", pageToken: "{{params.page_token}}" },
			paginate: readTokens("models"),
			output: {
				schema: answer({
					models: list(found, "The models"),
					nextPageToken: text("Token of the next page; missing on the last page"),
				}),
			},
			examples: [{ title: "All", params: { page_size: 1000 } }],
		},
		get_model: {
			title: "Get a model",
			method: "GET",
			path: "/models/{model}",
			params: params({ model }),
			output: { schema: found },
			examples: [{ title: "One", params: { model: "gemini-3.5-flash" } }],
		},
	},
};
