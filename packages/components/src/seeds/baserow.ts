import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, flag, integer, list, text } from "../schema-words.ts";
import { answer, done, exampleFile, object, orNull, params, pass } from "./schema.ts";

const table_id = integer("The table's id, from list_tables");
const row_id = integer("The row's id");
const fields = object("Values by field name");
/** Names instead of field_123. */
const user_field_names = "true";
const row = answer({ id: row_id, order: text("Position in the table") });

export const baserow: ApiRecipe = {
	id: "baserow",
	category: "data",
	title: "Baserow",
	description: "Rows and files of Baserow tables, in the cloud or on your own server.",
	auth: "baserow_token",
	base_url: "https://{{credential.host}}/api",
	docs_url: "https://baserow.io/user-docs/database-api",
	operations: {
		list_rows: {
			title: "List rows",
			method: "GET",
			path: "/database/rows/table/{table_id}/",
			params: params(
				{ table_id },
				{
					search: text("Search words"),
					filters: object(
						"Such as { filter_type: AND, filters: [{ field: Name, type: equal, value: Ada }] }",
					),
					order_by: text("Field names, comma-separated; with - descending, such as -Created"),
					include: text("Only these fields, comma-separated"),
					view_id: integer("Apply the filters and the order of this view"),
					page: integer("Page, from 1", { minimum: 1, default: 1 }),
					size: integer("Rows per page", { minimum: 1, maximum: 200, default: 100 }),
				},
			),
			query: {
				user_field_names,
				...pass("search", "filters", "order_by", "include", "view_id", "page", "size"),
			},
			paginate: { by: "link", url: "next", items: "results" },
			output: {
				schema: answer({
					count: integer("Total number of rows"),
					next: orNull(text("URL of the next page")),
					previous: orNull(text("URL of the previous page")),
					results: list(row, "The rows"),
				}),
			},
			examples: [
				{
					title: "Open tasks",
					params: {
						table_id: 123,
						filters: { filter_type: "AND", filters: [{ field: "Done", type: "boolean", value: "false" }] },
					},
				},
			],
		},
		get_row: {
			title: "Get a row",
			method: "GET",
			path: "/database/rows/table/{table_id}/{row_id}/",
			params: params({ table_id, row_id }),
			query: { user_field_names },
			output: { schema: row },
			examples: [{ title: "One", params: { table_id: 123, row_id: 1 } }],
		},
		create_row: {
			title: "Create a row",
			method: "POST",
			path: "/database/rows/table/{table_id}/",
			params: params({ table_id, fields }, { before: integer("Insert it before this row") }),
			query: { user_field_names, before: "{{params.before}}" },
			body: { kind: "json", value: "{{params.fields}}" },
			output: { schema: row },
			examples: [{ title: "A task", params: { table_id: 123, fields: { Name: "Call back", Done: false } } }],
		},
		create_rows: {
			title: "Create several rows",
			method: "POST",
			path: "/database/rows/table/{table_id}/batch/",
			params: params({
				table_id,
				rows: list(fields, "Up to 200 rows", { minItems: 1, maxItems: 200 }),
			}),
			query: { user_field_names },
			body: { kind: "json", value: { items: "{{params.rows}}" } },
			output: { schema: answer({ items: list(row, "The new rows") }) },
			examples: [{ title: "Two", params: { table_id: 123, rows: [{ Name: "One" }, { Name: "Two" }] } }],
		},
		update_row: {
			title: "Update a row",
			description: "Changes only the given fields.",
			method: "PATCH",
			path: "/database/rows/table/{table_id}/{row_id}/",
			params: params({ table_id, row_id, fields }),
			query: { user_field_names },
			body: { kind: "json", value: "{{params.fields}}" },
			output: { schema: row },
			examples: [{ title: "Done", params: { table_id: 123, row_id: 1, fields: { Done: true } } }],
		},
		update_rows: {
			title: "Update several rows",
			description: "Each with its id; changes only the given fields.",
			method: "PATCH",
			path: "/database/rows/table/{table_id}/batch/",
			params: params({
				table_id,
				rows: list(object("A row: id, and values by field name", { id: row_id }), "Up to 200 rows", {
					minItems: 1,
					maxItems: 200,
				}),
			}),
			query: { user_field_names },
			body: { kind: "json", value: { items: "{{params.rows}}" } },
			output: { schema: answer({ items: list(row, "The changed rows") }) },
			examples: [{ title: "One", params: { table_id: 123, rows: [{ id: 1, Done: true }] } }],
		},
		delete_row: {
			title: "Delete a row",
			method: "DELETE",
			path: "/database/rows/table/{table_id}/{row_id}/",
			params: params({ table_id, row_id }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { table_id: 123, row_id: 1 } }],
		},
		list_tables: {
			title: "List the tables that the token can reach",
			method: "GET",
			path: "/database/tables/all-tables/",
			params: params({}),
			output: {
				schema: list(
					answer({ id: table_id, name: text("Its name"), database_id: integer("Its database") }),
					"The tables",
				),
			},
			examples: [{ title: "All", params: {} }],
		},
		list_fields: {
			title: "List the fields of a table",
			method: "GET",
			path: "/database/fields/table/{table_id}/",
			params: params({ table_id }),
			output: {
				schema: list(
					answer({
						id: integer("Its id"),
						name: text("Its name"),
						type: text("Such as text or number"),
						primary: flag("Whether it is the primary field"),
					}),
					"The fields",
				),
			},
			examples: [{ title: "One table", params: { table_id: 123 } }],
		},
		upload_file: {
			title: "Upload a file",
			description: "Then set a file field to [{ name }] with the name that this returns.",
			method: "POST",
			path: "/user-files/upload-file/",
			params: params({ file: file("The file") }),
			body: { kind: "multipart", parts: [{ name: "file", file: "{{params.file}}" }] },
			output: {
				schema: answer({
					name: text("Name for a file field"),
					original_name: text("The file's own name"),
					url: text("URL of the file"),
				}),
			},
			examples: [{ title: "A picture", params: { file: exampleFile("chart.png", "image/png") } }],
		},
	},
};
