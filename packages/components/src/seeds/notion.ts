import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, text } from "../schema-words.ts";
import { answer, exampleFile, object, orNull, params } from "./schema.ts";

const headers = { "notion-version": "2022-06-28" };
const page_id = text("The page's id: the last 32 characters of its URL");
const paging = {
	page_size: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
	start_cursor: text("next_cursor of the previous page of results"),
};
const pages = { by: "cursor", cursor: "next_cursor", items: "results" } as const;
const properties = object("Property values by name, in Notion's format");
const children = list(object("A block"), "The content, as blocks", { maxItems: 100 });
const page = answer({
	id: text("The page's id"),
	url: text("Its URL"),
	created_time: text("Creation time"),
	last_edited_time: text("Time of the last change"),
	archived: flag("Whether it is in the trash"),
	properties: object("Property values by name"),
});
const results = (items: Parameters<typeof list>[0], description: string) =>
	answer({
		results: list(items, description),
		has_more: flag("Whether there are more"),
		next_cursor: orNull(text("Pass as start_cursor to get the next page")),
	});
const block = answer({
	id: text("The block's id"),
	type: text("Its type, such as paragraph"),
	has_children: flag("Whether it contains blocks"),
});

const file_upload_id = text("id of create_file_upload");
const upload = answer({
	id: text("The upload's id"),
	status: text("pending, uploaded, expired or failed"),
	filename: orNull(text("The file's name")),
	content_type: orNull(text("The file's media type")),
	expiry_time: orNull(text("Until when it must be attached")),
});

export const notion: ApiRecipe = {
	id: "notion",
	category: "data",
	title: "Notion",
	description: "Pages, databases and blocks of a Notion workspace that are shared with the integration.",
	auth: ["notion_token", "notion_oauth"],
	base_url: "https://api.notion.com/v1",
	docs_url: "https://developers.notion.com/reference",
	operations: {
		create_page: {
			title: "Create a page",
			description:
				"Creates it in a database, whose properties must match, or below another page: pass one of the two ids.",
			method: "POST",
			path: "/pages",
			params: params(
				{ properties },
				{ database_id: text("The parent database"), page_id: text("The parent page"), children },
			),
			headers,
			body: {
				kind: "json",
				value: {
					parent: { database_id: "{{params.database_id}}", page_id: "{{params.page_id}}" },
					properties: "{{params.properties}}",
					children: "{{params.children}}",
				},
			},
			output: { schema: page },
			examples: [
				{
					title: "A row of a database",
					params: {
						database_id: "d9824bdc84454327be8b5b47500af6ce",
						properties: { Name: { title: [{ text: { content: "Tuscan kale" } }] }, Price: { number: 2.5 } },
					},
				},
			],
		},
		get_page: {
			title: "Get a page's properties",
			description: "Get its content with list_blocks.",
			method: "GET",
			path: "/pages/{page_id}",
			params: params({ page_id }),
			headers,
			output: { schema: page },
			examples: [{ title: "One page", params: { page_id: "b55c9c91384d452b81dbd1ef79372b75" } }],
		},
		update_page: {
			title: "Update a page's properties",
			method: "PATCH",
			path: "/pages/{page_id}",
			params: params(
				{ page_id },
				{ properties, archived: flag("true moves it to the trash, false restores it") },
			),
			headers,
			body: {
				kind: "json",
				value: { properties: "{{params.properties}}", archived: "{{params.archived}}" },
			},
			output: { schema: page },
			examples: [
				{
					title: "Set a checkbox",
					params: {
						page_id: "60bdc8bd3880444390e7f6a4f8ef8b1e",
						properties: { "In stock": { checkbox: true } },
					},
				},
			],
		},
		query_database: {
			title: "Query the pages of a database",
			method: "POST",
			path: "/databases/{database_id}/query",
			params: params(
				{ database_id: text("The database's id") },
				{
					filter: object("Notion's filter, such as { property, select: { equals } }"),
					sorts: list(object("A sort, such as { property, direction }"), "Sort order"),
					...paging,
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					filter: "{{params.filter}}",
					sorts: "{{params.sorts}}",
					page_size: "{{params.page_size}}",
					start_cursor: "{{params.start_cursor}}",
				},
			},
			paginate: { ...pages, body: "start_cursor" },
			output: { schema: results(page, "The pages") },
			examples: [
				{
					title: "Completed ones",
					params: {
						database_id: "d9824bdc84454327be8b5b47500af6ce",
						filter: { property: "Done", checkbox: { equals: true } },
					},
				},
			],
		},
		list_blocks: {
			title: "List the blocks of a page or block",
			method: "GET",
			path: "/blocks/{block_id}/children",
			params: params({ block_id: text("Id of the page or block") }, paging),
			query: { page_size: "{{params.page_size}}", start_cursor: "{{params.start_cursor}}" },
			headers,
			paginate: { ...pages, param: "start_cursor" },
			output: { schema: results(block, "The blocks, one level deep") },
			examples: [{ title: "A page's content", params: { block_id: "b55c9c91384d452b81dbd1ef79372b75" } }],
		},
		append_blocks: {
			title: "Add blocks to the end of a page",
			method: "PATCH",
			path: "/blocks/{block_id}/children",
			params: params({ block_id: text("Id of the page or block"), children }),
			headers,
			body: { kind: "json", value: { children: "{{params.children}}" } },
			output: { schema: results(block, "The new blocks") },
			examples: [
				{
					title: "A heading",
					params: {
						block_id: "b55c9c91384d452b81dbd1ef79372b75",
						children: [{ heading_2: { rich_text: [{ text: { content: "Lacinato kale" } }] } }],
					},
				},
			],
		},
		append_paragraph: {
			title: "Add a paragraph to the end of a page",
			method: "PATCH",
			path: "/blocks/{block_id}/children",
			params: params({
				block_id: text("Id of the page or block"),
				text: text("The paragraph, as plain text", { maxLength: 2000 }),
			}),
			headers,
			body: {
				kind: "json",
				value: {
					children: [
						{
							object: "block",
							type: "paragraph",
							paragraph: { rich_text: [{ type: "text", text: { content: "{{params.text}}" } }] },
						},
					],
				},
			},
			output: { schema: results(block, "The new block") },
			examples: [
				{
					title: "A note",
					params: { block_id: "b55c9c91384d452b81dbd1ef79372b75", text: "Called back at noon." },
				},
			],
		},
		create_file_upload: {
			title: "Start to upload a file",
			description:
				"The first of three steps: then send the file with send_file and attach it with attach_file, within an hour.",
			method: "POST",
			path: "/file_uploads",
			params: params(
				{ file: file("The file to upload, at most 20 MB") },
				{ name: text("Its name in Notion, with its suffix; default its own") },
			),
			headers,
			body: {
				kind: "json",
				value: {
					mode: "single_part",
					filename: "{{params.name | default(params.file.name)}}",
					content_type: "{{params.file.type}}",
				},
			},
			output: { schema: upload },
			examples: [{ title: "A picture", params: { file: exampleFile("logo.png", "image/png") } }],
		},
		send_file: {
			title: "Send the file of an upload",
			method: "POST",
			path: "/file_uploads/{file_upload_id}/send",
			params: params({ file_upload_id, file: file("The same file as in create_file_upload") }),
			headers,
			body: { kind: "multipart", parts: [{ name: "file", file: "{{params.file}}" }] },
			output: { schema: upload },
			examples: [
				{
					title: "A picture",
					params: {
						file_upload_id: "b52b8ed6e02980bb9e5c00d2bf0d7e4a",
						file: exampleFile("logo.png", "image/png"),
					},
				},
			],
		},
		attach_file: {
			title: "Add an uploaded file to the end of a page",
			description:
				"As a file block. For an image, video, audio or PDF block use append_blocks with { image: { type: file_upload, file_upload: { id } } }.",
			method: "PATCH",
			path: "/blocks/{block_id}/children",
			params: params(
				{ block_id: text("Id of the page or block"), file_upload_id },
				{ caption: text("Text below it", { maxLength: 2000 }) },
			),
			headers,
			body: {
				kind: "json",
				value: {
					children: [
						{
							object: "block",
							type: "file",
							file: {
								type: "file_upload",
								file_upload: { id: "{{params.file_upload_id}}" },
								caption: [{ text: { content: "{{params.caption}}" } }],
							},
						},
					],
				},
			},
			output: { schema: results(block, "The new block") },
			examples: [
				{
					title: "A report",
					params: {
						block_id: "b55c9c91384d452b81dbd1ef79372b75",
						file_upload_id: "b52b8ed6e02980bb9e5c00d2bf0d7e4a",
					},
				},
			],
		},
		search: {
			title: "Search pages and databases by title",
			method: "POST",
			path: "/search",
			params: params(
				{},
				{
					query: text("Search words for the title; all pages if left out"),
					filter: object("{ property: object, value: page } or { property: object, value: database }"),
					sort: object("{ timestamp: last_edited_time, direction: descending }", {
						direction: choice(["ascending", "descending"], "Sort direction"),
					}),
					...paging,
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					query: "{{params.query}}",
					filter: "{{params.filter}}",
					sort: "{{params.sort}}",
					page_size: "{{params.page_size}}",
					start_cursor: "{{params.start_cursor}}",
				},
			},
			paginate: { ...pages, body: "start_cursor" },
			output: {
				schema: results(
					answer({ object: text("page or database"), id: text("Its id"), url: text("Its URL") }),
					"The results",
				),
			},
			examples: [{ title: "Meeting notes", params: { query: "meeting", page_size: 10 } }],
		},
	},
};
