import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, number, text } from "../schema-words.ts";
import { openaiOperations } from "./openai-operations.ts";
import { answer, anyOf, exampleFile, object, params, pass } from "./schema.ts";

const texts = anyOf(
	[{ type: "string" }, { type: "array", items: { type: "string" } }],
	"One text, or several",
);
const { chat, embed, list_models } = openaiOperations("mistral-small-latest", "mistral-embed");
const messages = list(
	object("A message", {
		role: choice(["system", "user", "assistant", "tool"], "Author of the message"),
		content: { description: "Text, or a list of parts" },
	}),
	"The messages so far",
	{ minItems: 1 },
);
const options = {
	temperature: number("Randomness of the answer", { minimum: 0, maximum: 1.5 }),
	max_tokens: integer("Maximum length of the answer in tokens", { minimum: 1 }),
	random_seed: integer("Makes answers repeatable", { minimum: 0 }),
	response_format: object("{ type: json_object }, or { type: json_schema, json_schema }"),
	tools: list(object("A tool"), "Functions the model may call"),
	tool_choice: { description: "auto, none, any, required, or one tool" },
	safe_prompt: flag("Adds a prompt for safety"),
};

export const mistral: ApiRecipe = {
	id: "mistral",
	category: "ai",
	title: "Mistral",
	description: "Chat, embeddings, OCR, transcription and moderation with Mistral's models.",
	auth: "mistral_key",
	base_url: "https://api.mistral.ai/v1",
	docs_url: "https://docs.mistral.ai/api",
	operations: {
		chat: {
			...chat,
			params: params({ model: text("The model's id, such as mistral-small-latest"), messages }, options),
			body: { kind: "json", value: pass("model", "messages", ...Object.keys(options)) },
		},
		embed: {
			...embed,
			params: params(
				{ model: text("The model's id, such as mistral-embed"), input: texts },
				{ output_dimension: integer("Length of the vectors, if the model supports it", { minimum: 1 }) },
			),
			body: { kind: "json", value: pass("model", "input", "output_dimension") },
		},
		list_models,
		read_document: {
			title: "Read the text of a document or an image",
			description: "OCR. The text of each page is pages[].markdown.",
			method: "POST",
			path: "/ocr",
			params: params(
				{
					document: object(
						"{ type: document_url, document_url } or { type: image_url, image_url }; an https:// or data: URL",
						{ type: choice(["document_url", "image_url", "file"], "Type of the document") },
					),
				},
				{
					model: text("The model's id", { default: "mistral-ocr-latest" }),
					pages: list(integer("A page, from 0"), "Only these pages"),
					include_image_base64: flag("Also return the images as base64"),
				},
			),
			body: { kind: "json", value: pass("model", "document", "pages", "include_image_base64") },
			output: {
				schema: answer({
					pages: list(
						object("A page", {
							index: integer("Its number, from 0"),
							markdown: text("Its text in Markdown"),
						}),
						"The pages",
					),
					usage_info: object("Number of pages"),
				}),
			},
			examples: [
				{
					title: "A PDF",
					params: { document: { type: "document_url", document_url: "https://example.com/invoice.pdf" } },
				},
			],
		},
		transcribe: {
			title: "Transcribe speech",
			method: "POST",
			path: "/audio/transcriptions",
			params: params(
				{ file: file("The audio") },
				{
					model: text("The model's id", { default: "voxtral-mini-latest" }),
					language: text("Such as de; recognized if left out"),
				},
			),
			body: {
				kind: "multipart",
				parts: [
					{ name: "model", text: "{{params.model}}" },
					{ name: "language", text: "{{params.language}}" },
					{ name: "file", file: "{{params.file}}" },
				],
			},
			output: { schema: answer({ text: text("The text"), model: text("The model") }) },
			examples: [{ title: "A recording", params: { file: exampleFile("call.mp3", "audio/mpeg") } }],
		},
		moderate: {
			title: "Check texts for harmful content",
			method: "POST",
			path: "/moderations",
			params: params(
				{ input: texts },
				{ model: text("The model's id", { default: "mistral-moderation-latest" }) },
			),
			body: { kind: "json", value: pass("model", "input") },
			output: {
				schema: answer({
					results: list(
						object("A result", {
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
