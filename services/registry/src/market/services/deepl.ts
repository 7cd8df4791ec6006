import { choice, integer, list, text } from "@tripline/components/schema-words";
import { recipe } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const deepl = recipe({
	id: "deepl",
	title: "DeepL",
	description: `Translates texts with [DeepL](https://www.deepl.com/pro-api), with a free or a paid key.

Use it for messages, product texts and support mails. Several texts go in one call (at most 50, and 128 KiB in all). \`context\` is not translated but helps to find the right words, for example for a single word on a button.`,
	tags: ["translation", "text", "language"],
	hosts: ["{server}.deepl.com"],
	auth_recipes: {
		key: {
			title: "DeepL API key",
			type: "header",
			fields: [
				{ name: "server", secret: false, help: "api-free for keys that end in :fx, api for all others" },
				{ name: "api_key", secret: true, help: "Your account, API keys" },
			],
			inject: { headers: { Authorization: "DeepL-Auth-Key {api_key}" } },
			hosts: ["{server}.deepl.com"],
		},
	},
	recipe: {
		auth: "key",
		base_url: "https://{{credential.server}}.deepl.com/v2",
		docs_url: "https://developers.deepl.com/docs/api-reference/translate",
		operations: {
			translate: {
				title: "Translate",
				method: "POST",
				path: "/translate",
				params: params(
					{
						text: list({ type: "string" }, "The texts", { minItems: 1, maxItems: 50 }),
						target_lang: text("Into which language: DE, EN-GB, EN-US, FR, PT-BR, ZH-HANS and so on", {
							minLength: 2,
							maxLength: 10,
						}),
						source_lang: text("From which language; default: DeepL finds out", {
							minLength: 2,
							maxLength: 10,
						}),
						context: text("More text around it, which is not translated"),
						formality: choice(
							["default", "more", "less", "prefer_more", "prefer_less"],
							"How to address people; prefer_ where the language may not know it",
						),
						tag_handling: choice(["html", "xml"], "Keep these tags as they are"),
						preserve_formatting: { type: "boolean", description: "Keep punctuation and capitals" },
						glossary_id: text("Id of a glossary; needs source_lang"),
					},
					["text", "target_lang"],
				),
				body: {
					kind: "json",
					value: {
						text: "{{params.text}}",
						target_lang: "{{params.target_lang}}",
						source_lang: "{{params.source_lang}}",
						context: "{{params.context}}",
						formality: "{{params.formality}}",
						tag_handling: "{{params.tag_handling}}",
						preserve_formatting: "{{params.preserve_formatting}}",
						glossary_id: "{{params.glossary_id}}",
					},
				},
				output: {
					value: "{{data.translations}}",
					schema: list(
						object(
							{
								text: text("The translation"),
								detected_source_language: text("The language that DeepL saw"),
							},
							"A translation",
						),
						"One translation for each text, in their order",
					),
				},
				examples: [
					{
						title: "Two texts, formally",
						params: { text: ["How are you?", "See you soon."], target_lang: "DE", formality: "prefer_more" },
					},
				],
			},
			usage: {
				title: "How much was used",
				method: "GET",
				path: "/usage",
				params: params({}, []),
				output: {
					schema: object(
						{
							character_count: integer("Characters translated in this period"),
							character_limit: integer("How many there may be"),
						},
						"The use of the key",
					),
				},
				examples: [{ title: "Of the key", params: {} }],
			},
			languages: {
				title: "List languages",
				method: "GET",
				path: "/languages",
				params: params(
					{ type: choice(["source", "target"], "From which, or into which", { default: "target" }) },
					[],
				),
				query: { type: "{{params.type}}" },
				output: {
					schema: list(
						object({ language: text("Its code"), name: text("Its name in English") }, "A language"),
						"The languages",
					),
				},
				examples: [{ title: "Into which it translates", params: {} }],
			},
		},
	},
});
