import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const page = {
	object: "page",
	id: "59833787-2cf9-4fdf-8782-e53db20768a5",
	created_time: "2022-03-01T19:05:00.000Z",
	last_edited_time: "2022-07-06T20:25:00.000Z",
	archived: false,
	properties: { Name: { id: "title", type: "title", title: [] } },
	url: "https://www.notion.so/Tuscan-kale-598337872cf94fdf8782e53db20768a5",
};
const found = { object: "list", results: [page], next_cursor: null, has_more: false };
const blocks = {
	object: "list",
	results: [
		{ object: "block", id: "c02fc1d3-db8b-45c5-a222-27595b15aea7", type: "paragraph", has_children: false },
	],
	next_cursor: null,
	has_more: false,
};
const upload = {
	object: "file_upload",
	id: "b52b8ed6-e029-4707-a671-832549c09de3",
	status: "pending",
	filename: "chart ü.png",
	content_type: "image/png",
	expiry_time: "2025-03-15T20:53:00.000Z",
};
const properties = { Name: { title: [{ text: { content: "Tuscan kale" } }] } };
const block_id = "b55c9c91384d452b81dbd1ef79372b75";

export const notion = toExchanges(
	{
		id: "notion",
		authRecipe: "notion_token",
		fields: { token: "test-notion-token" },
		base: "https://api.notion.com/v1",
		headers: { authorization: "Bearer test-notion-token", "notion-version": "2022-06-28" },
	},
	{
		create_page: {
			params: { database_id: "d9824bdc84454327be8b5b47500af6ce", properties },
			sends: "POST /pages",
			json: { parent: { database_id: "d9824bdc84454327be8b5b47500af6ce" }, properties },
			answer: page,
		},
		get_page: {
			params: { page_id: "598337872cf94fdf8782e53db20768a5" },
			sends: "GET /pages/598337872cf94fdf8782e53db20768a5",
			answer: page,
		},
		update_page: {
			params: { page_id: "598337872cf94fdf8782e53db20768a5", properties, archived: false },
			sends: "PATCH /pages/598337872cf94fdf8782e53db20768a5",
			json: { properties, archived: false },
			answer: page,
		},
		query_database: {
			params: {
				database_id: "d9824bdc84454327be8b5b47500af6ce",
				filter: { property: "Done", checkbox: { equals: true } },
				sorts: [{ property: "Name", direction: "ascending" }],
			},
			sends: "POST /databases/d9824bdc84454327be8b5b47500af6ce/query",
			json: {
				filter: { property: "Done", checkbox: { equals: true } },
				sorts: [{ property: "Name", direction: "ascending" }],
				page_size: 100,
			},
			answer: found,
		},
		list_blocks: {
			params: { block_id, page_size: 50, start_cursor: "c02fc1d3" },
			sends: "GET /blocks/b55c9c91384d452b81dbd1ef79372b75/children?page_size=50&start_cursor=c02fc1d3",
			answer: blocks,
		},
		append_blocks: {
			params: {
				block_id,
				children: [{ heading_2: { rich_text: [{ text: { content: "Lacinato kale" } }] } }],
			},
			sends: "PATCH /blocks/b55c9c91384d452b81dbd1ef79372b75/children",
			json: { children: [{ heading_2: { rich_text: [{ text: { content: "Lacinato kale" } }] } }] },
			answer: blocks,
		},
		append_paragraph: {
			params: { block_id, text: "Called back at noon." },
			sends: "PATCH /blocks/b55c9c91384d452b81dbd1ef79372b75/children",
			json: {
				children: [
					{
						object: "block",
						type: "paragraph",
						paragraph: { rich_text: [{ type: "text", text: { content: "Called back at noon." } }] },
					},
				],
			},
			answer: blocks,
		},
		create_file_upload: {
			params: { file: picture },
			sends: "POST /file_uploads",
			json: { mode: "single_part", filename: "chart ü.png", content_type: "image/png" },
			answer: upload,
		},
		send_file: {
			params: { file_upload_id: upload.id, file: picture },
			sends: `POST /file_uploads/${upload.id}/send`,
			parts: [{ name: "file", filename: "chart ü.png", type: "image/png", content: PICTURE }],
			answer: { ...upload, status: "uploaded" },
		},
		attach_file: {
			params: { block_id, file_upload_id: upload.id, caption: "Sales" },
			sends: `PATCH /blocks/${block_id}/children`,
			json: {
				children: [
					{
						object: "block",
						type: "file",
						file: {
							type: "file_upload",
							file_upload: { id: upload.id },
							caption: [{ text: { content: "Sales" } }],
						},
					},
				],
			},
			answer: blocks,
		},
		search: {
			params: { query: "kale", filter: { property: "object", value: "page" }, page_size: 10 },
			sends: "POST /search",
			json: { query: "kale", filter: { property: "object", value: "page" }, page_size: 10 },
			answer: found,
		},
	},
);
