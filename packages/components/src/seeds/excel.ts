import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, done, object, params } from "./schema.ts";

const item_id = text("The workbook's id in OneDrive, such as id of onedrive.get_item_by_path");
const worksheet = text("The worksheet's name or id");
const table = text("The table's name or id");
const address = text("Cells, such as A1:C3");
const values = list({ type: "array", items: {} }, "Rows, each a list of cells");
const cells = answer({
	address: text("The cells, such as Sheet1!A1:C3"),
	values,
	text: list({ type: "array", items: {} }, "The cells as shown"),
});
const row = answer({ index: integer("Its position in the table, from 0"), values });

const skipBy = (size: number) =>
	({ by: "page", param: "$skip", start: 0, step: size, size_param: "$top", size, items: "value" }) as const;

export const excel: ApiRecipe = {
	id: "excel",
	category: "data",
	title: "Excel",
	description:
		"Tables and cells of workbooks in OneDrive, with work and school accounts. The permission is Files.ReadWrite.",
	auth: ["microsoft_oauth", "microsoft_token"],
	base_url: "https://graph.microsoft.com/v1.0/me/drive/items",
	docs_url: "https://learn.microsoft.com/graph/api/resources/excel",
	operations: {
		list_worksheets: {
			title: "List worksheets",
			method: "GET",
			path: "/{item_id}/workbook/worksheets",
			params: params({ item_id }),
			output: {
				schema: answer({
					value: list(
						object("A worksheet", {
							id: text("Its id"),
							name: text("Its name"),
							position: integer("Its position"),
							visibility: text("Visible, Hidden or VeryHidden"),
						}),
						"The worksheets",
					),
				}),
			},
			examples: [{ title: "One workbook", params: { item_id: "01BYE5RZ" } }],
		},
		list_tables: {
			title: "List tables",
			method: "GET",
			path: "/{item_id}/workbook/tables",
			params: params({ item_id }),
			output: {
				schema: answer({
					value: list(object("A table", { id: text("Its id"), name: text("Its name") }), "The tables"),
				}),
			},
			examples: [{ title: "One workbook", params: { item_id: "01BYE5RZ" } }],
		},
		list_columns: {
			title: "List the columns of a table",
			method: "GET",
			path: "/{item_id}/workbook/tables/{table}/columns",
			params: params({ item_id, table }),
			query: { $select: "name,index" },
			paginate: skipBy(100),
			output: {
				schema: answer({
					value: list(
						object("A column", { name: text("Its name"), index: integer("Its position, from 0") }),
						"The columns",
					),
				}),
			},
			examples: [{ title: "One table", params: { item_id: "01BYE5RZ", table: "Orders" } }],
		},
		list_rows: {
			title: "List the rows of a table",
			method: "GET",
			path: "/{item_id}/workbook/tables/{table}/rows",
			params: params(
				{ item_id, table },
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 5000, default: 1000 }),
					skip: integer("How many to leave out, for the next page", { minimum: 0 }),
				},
			),
			query: { $select: "index,values", $top: "{{params.limit}}", $skip: "{{params.skip}}" },
			paginate: skipBy(1000),
			output: { schema: answer({ value: list(row, "The rows; each has one row of values") }) },
			examples: [{ title: "One table", params: { item_id: "01BYE5RZ", table: "Orders" } }],
		},
		add_rows: {
			title: "Add rows to a table",
			description: "At its end, unless index says where.",
			method: "POST",
			path: "/{item_id}/workbook/tables/{table}/rows",
			params: params(
				{ item_id, table, values },
				{ index: integer("Position of the first new row, from 0", { minimum: 0 }) },
			),
			body: { kind: "json", value: { values: "{{params.values}}", index: "{{params.index}}" } },
			output: { schema: row },
			examples: [
				{ title: "One row", params: { item_id: "01BYE5RZ", table: "Orders", values: [["Tea", 4.5]] } },
			],
		},
		update_row: {
			title: "Update a row of a table",
			method: "PATCH",
			path: "/{item_id}/workbook/tables/{table}/rows/{index}",
			params: params({
				item_id,
				table,
				index: integer("Its position, from 0", { minimum: 0 }),
				values: list({ type: "array", items: {} }, "One row with all its cells; null keeps a cell", {
					minItems: 1,
					maxItems: 1,
				}),
			}),
			body: { kind: "json", value: { values: "{{params.values}}" } },
			output: { schema: row },
			examples: [
				{
					title: "The price",
					params: { item_id: "01BYE5RZ", table: "Orders", index: 0, values: [[null, 5]] },
				},
			],
		},
		delete_row: {
			title: "Delete a row of a table",
			method: "DELETE",
			path: "/{item_id}/workbook/tables/{table}/rows/{index}",
			params: params({ item_id, table, index: integer("Its position, from 0", { minimum: 0 }) }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "The first", params: { item_id: "01BYE5RZ", table: "Orders", index: 0 } }],
		},
		read_range: {
			title: "Read cells",
			method: "GET",
			path: "/{item_id}/workbook/worksheets/{worksheet}/range(address='{address}')",
			params: params({ item_id, worksheet, address }),
			query: { $select: "address,values,text" },
			output: { schema: cells },
			examples: [
				{ title: "A table", params: { item_id: "01BYE5RZ", worksheet: "Sheet1", address: "A1:C10" } },
			],
		},
		read_used_range: {
			title: "Read all cells with values",
			method: "GET",
			path: "/{item_id}/workbook/worksheets/{worksheet}/usedRange(valuesOnly=true)",
			params: params({ item_id, worksheet }),
			query: { $select: "address,values,text" },
			output: { schema: cells },
			examples: [{ title: "A worksheet", params: { item_id: "01BYE5RZ", worksheet: "Sheet1" } }],
		},
		update_range: {
			title: "Write cells",
			description: "A text that starts with = is a formula; null keeps a cell.",
			method: "PATCH",
			path: "/{item_id}/workbook/worksheets/{worksheet}/range(address='{address}')",
			params: params({ item_id, worksheet, address, values }),
			body: { kind: "json", value: { values: "{{params.values}}" } },
			output: { schema: cells },
			examples: [
				{
					title: "Two cells",
					params: {
						item_id: "01BYE5RZ",
						worksheet: "Sheet1",
						address: "A1:B1",
						values: [["Total", "=SUM(B2:B9)"]],
					},
				},
			],
		},
		clear_range: {
			title: "Clear cells",
			method: "POST",
			path: "/{item_id}/workbook/worksheets/{worksheet}/range(address='{address}')/clear",
			params: params(
				{ item_id, worksheet, address },
				{
					what: choice(["All", "Formats", "Contents"], "What is cleared", { default: "Contents" }),
				},
			),
			body: { kind: "json", value: { applyTo: "{{params.what}}" } },
			response: "text",
			output: done("cleared", "Always true"),
			examples: [{ title: "A column", params: { item_id: "01BYE5RZ", worksheet: "Sheet1", address: "C:C" } }],
		},
		create_table: {
			title: "Make a table of cells",
			method: "POST",
			path: "/{item_id}/workbook/tables/add",
			params: params(
				{ item_id, address: text("Cells with their worksheet, such as Sheet1!A1:D5") },
				{ has_headers: flag("Whether the first row has the columns' names", { default: true }) },
			),
			body: {
				kind: "json",
				value: { address: "{{params.address}}", hasHeaders: "{{params.has_headers}}" },
			},
			output: { schema: answer({ id: text("The table's id"), name: text("Its name") }) },
			examples: [{ title: "One", params: { item_id: "01BYE5RZ", address: "Sheet1!A1:D5" } }],
		},
	},
};
