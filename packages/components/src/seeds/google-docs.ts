import type { ApiRecipe } from "@tripline/contract/recipes";
import { flag, integer, list, text } from "../schema-words.ts";
import { answer, object, params } from "./schema.ts";

const document_id = text("The document's id: the part of its URL between /d/ and /edit");
const document = answer({ documentId: text("Its id"), title: text("Its title") });
const updated = answer({
	documentId: text("The document's id"),
	replies: list(object("What a change returned"), "One for each change"),
});

export const googleDocs: ApiRecipe = {
	id: "google_docs",
	category: "files",
	title: "Google Docs",
	description:
		"Creates and changes documents. To read one as text or to download it as PDF or Word, use google_drive.export_text and google_drive.export_file. The scope is https://www.googleapis.com/auth/documents; share documents with a service account's address.",
	auth: ["google_oauth", "google_service_account"],
	base_url: "https://docs.googleapis.com/v1/documents",
	docs_url: "https://developers.google.com/workspace/docs/api/reference/rest",
	operations: {
		get_document: {
			title: "Get a document with its structure",
			description: "For its text use google_drive.export_text, which is much smaller.",
			method: "GET",
			path: "/{document_id}",
			params: params(
				{ document_id },
				{ fields: text("Only these fields, such as title,body.content(startIndex,endIndex)") },
			),
			query: { fields: "{{params.fields}}" },
			output: { schema: document },
			examples: [{ title: "Its title", params: { document_id: "1a2b3c", fields: "title,documentId" } }],
		},
		create_document: {
			title: "Create a document",
			description: "It is empty; append_text adds text.",
			method: "POST",
			path: "",
			params: params({ title: text("Its title") }),
			body: { kind: "json", value: { title: "{{params.title}}" } },
			output: { schema: document },
			examples: [{ title: "A new document", params: { title: "Minutes" } }],
		},
		append_text: {
			title: "Add text to the end of a document",
			method: "POST",
			path: "/{document_id}:batchUpdate",
			params: params({ document_id, text: text("The text; a line break starts a paragraph") }),
			body: {
				kind: "json",
				value: { requests: [{ insertText: { endOfSegmentLocation: {}, text: "{{params.text}}" } }] },
			},
			output: { schema: updated },
			examples: [{ title: "A paragraph", params: { document_id: "1a2b3c", text: "\nDecided today." } }],
		},
		insert_text: {
			title: "Insert text into a document",
			method: "POST",
			path: "/{document_id}:batchUpdate",
			params: params({
				document_id,
				text: text("The text"),
				index: integer("Where: 1 is the start of the document", { minimum: 1 }),
			}),
			body: {
				kind: "json",
				value: {
					requests: [{ insertText: { location: { index: "{{params.index}}" }, text: "{{params.text}}" } }],
				},
			},
			output: { schema: updated },
			examples: [{ title: "At the start", params: { document_id: "1a2b3c", text: "Draft\n", index: 1 } }],
		},
		replace_text: {
			title: "Replace text in a document",
			description: "Everywhere in the document, for instance to fill in a template.",
			method: "POST",
			path: "/{document_id}:batchUpdate",
			params: params(
				{
					document_id,
					find: text("The text to look for, such as [customer]", { minLength: 1 }),
					replace: text("The text in its place"),
				},
				{ match_case: flag("Whether upper and lower case differ", { default: true }) },
			),
			body: {
				kind: "json",
				value: {
					requests: [
						{
							replaceAllText: {
								containsText: { text: "{{params.find}}", matchCase: "{{params.match_case}}" },
								replaceText: "{{params.replace}}",
							},
						},
					],
				},
			},
			output: { schema: updated },
			examples: [
				{ title: "A name", params: { document_id: "1a2b3c", find: "[customer]", replace: "Ada Lovelace" } },
			],
		},
		insert_image: {
			title: "Add an image to the end of a document",
			method: "POST",
			path: "/{document_id}:batchUpdate",
			params: params(
				{ document_id, url: text("Public https:// URL of a PNG, JPEG or GIF of at most 50 MB") },
				{
					width: object("Its width; default its own", {
						magnitude: integer("Number of points", { minimum: 1 }),
						unit: text("PT"),
					}),
				},
			),
			body: {
				kind: "json",
				value: {
					requests: [
						{
							insertInlineImage: {
								endOfSegmentLocation: {},
								uri: "{{params.url}}",
								objectSize: { width: "{{params.width}}" },
							},
						},
					],
				},
			},
			output: { schema: updated },
			examples: [
				{
					title: "A chart",
					params: {
						document_id: "1a2b3c",
						url: "https://example.com/c.png",
						width: { magnitude: 300, unit: "PT" },
					},
				},
			],
		},
		update_document: {
			title: "Make several changes at once",
			description: "All or none of them.",
			method: "POST",
			path: "/{document_id}:batchUpdate",
			params: params({
				document_id,
				requests: list(object("A change, such as { replaceAllText: { … } }"), "The changes, in order"),
			}),
			body: { kind: "json", value: { requests: "{{params.requests}}" } },
			output: { schema: updated },
			examples: [
				{
					title: "Fill in two places",
					params: {
						document_id: "1a2b3c",
						requests: [
							{ replaceAllText: { containsText: { text: "[name]", matchCase: true }, replaceText: "Ada" } },
							{ replaceAllText: { containsText: { text: "[sum]", matchCase: true }, replaceText: "12 €" } },
						],
					},
				},
			],
		},
	},
};
