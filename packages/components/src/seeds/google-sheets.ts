import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, object, params } from "./schema.ts";

const spreadsheet_id = text("The spreadsheet's id: the part of its URL between /d/ and /edit");
const range = text("Cells in A1 notation, such as Sheet1!A1:D5");
const values = list({ type: "array", items: {} }, "Rows, each a list of cells");
const value_input = choice(
	["RAW", "USER_ENTERED"],
	"RAW stores values as they are; USER_ENTERED parses them as if typed, so that dates and formulas work",
	{ default: "USER_ENTERED" },
);
const written = {
	updatedRange: text("The cells that were written"),
	updatedRows: integer("Number of rows"),
	updatedColumns: integer("Number of columns"),
	updatedCells: integer("Number of cells"),
};

export const googleSheets: ApiRecipe = {
	id: "google_sheets",
	category: "data",
	title: "Google Sheets",
	description:
		"Reads and writes cells of spreadsheets. For rows by the names of their columns use the component google_sheets_rows. The scope is https://www.googleapis.com/auth/spreadsheets; share the spreadsheet with a service account's address.",
	auth: ["google_oauth", "google_service_account"],
	base_url: "https://sheets.googleapis.com/v4/spreadsheets",
	docs_url: "https://developers.google.com/workspace/sheets/api/reference/rest",
	operations: {
		read_range: {
			title: "Read cells",
			description: "Trailing empty rows and cells are omitted; values is missing if all cells are empty.",
			method: "GET",
			path: "/{spreadsheet_id}/values/{range}",
			params: params(
				{ spreadsheet_id, range },
				{
					major_dimension: choice(["ROWS", "COLUMNS"], "Whether values are rows or columns"),
					render: choice(
						["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"],
						"Formatted as shown, as raw values, or as formulas",
					),
				},
			),
			query: { majorDimension: "{{params.major_dimension}}", valueRenderOption: "{{params.render}}" },
			output: { schema: answer({ range: text("The cells that were read"), values }) },
			examples: [
				{
					title: "A table",
					params: {
						spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
						range: "Class Data!A2:E",
					},
				},
			],
		},
		append_rows: {
			title: "Add rows to the end of a table",
			method: "POST",
			path: "/{spreadsheet_id}/values/{range}:append",
			params: params(
				{ spreadsheet_id, range: text("A cell or range of the table, such as Sheet1!A1"), values },
				{
					value_input,
					insert: choice(["OVERWRITE", "INSERT_ROWS"], "Whether new rows are inserted", {
						default: "INSERT_ROWS",
					}),
				},
			),
			query: { valueInputOption: "{{params.value_input}}", insertDataOption: "{{params.insert}}" },
			body: { kind: "json", value: { values: "{{params.values}}" } },
			output: {
				schema: answer({
					tableRange: text("The table before the update"),
					updates: object("What was written", written),
				}),
			},
			examples: [
				{
					title: "One row",
					params: {
						spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
						range: "Sheet1!A1",
						values: [["2026-01-31", "Tea", 4.5]],
					},
				},
			],
		},
		update_range: {
			title: "Write cells",
			method: "PUT",
			path: "/{spreadsheet_id}/values/{range}",
			params: params({ spreadsheet_id, range, values }, { value_input }),
			query: { valueInputOption: "{{params.value_input}}" },
			body: { kind: "json", value: { values: "{{params.values}}" } },
			output: { schema: answer(written) },
			examples: [
				{
					title: "Two cells",
					params: {
						spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
						range: "Sheet1!A1:B1",
						values: [["Total", "=SUM(B2:B9)"]],
					},
				},
			],
		},
		clear_range: {
			title: "Clear cells",
			description: "Removes values and keeps formats.",
			method: "POST",
			path: "/{spreadsheet_id}/values/{range}:clear",
			params: params({ spreadsheet_id, range }),
			body: { kind: "json", value: {} },
			output: { schema: answer({ clearedRange: text("The cells that were cleared") }) },
			examples: [
				{
					title: "A column",
					params: { spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms", range: "Sheet1!C:C" },
				},
			],
		},
		get_spreadsheet: {
			title: "Get a spreadsheet's sheets",
			method: "GET",
			path: "/{spreadsheet_id}",
			params: params({ spreadsheet_id }, { include_cells: flag("Include all cells", { default: false }) }),
			query: { includeGridData: "{{params.include_cells}}" },
			output: {
				schema: answer({
					spreadsheetId: text("Its id"),
					spreadsheetUrl: text("Its URL"),
					properties: object("Properties of the spreadsheet", { title: text("Its title") }),
					sheets: list(
						object("A sheet", {
							properties: object("Properties of the sheet", {
								sheetId: integer("Its id"),
								title: text("Its title"),
							}),
						}),
						"The sheets",
					),
				}),
			},
			examples: [
				{
					title: "Its sheets",
					params: { spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms" },
				},
			],
		},
		create_spreadsheet: {
			title: "Create a spreadsheet",
			description: "It belongs to the account of the credential.",
			method: "POST",
			path: "",
			params: params({ title: text("Its title") }),
			body: { kind: "json", value: { properties: { title: "{{params.title}}" } } },
			output: { schema: answer({ spreadsheetId: text("Its id"), spreadsheetUrl: text("Its URL") }) },
			examples: [{ title: "A new spreadsheet", params: { title: "Orders" } }],
		},
	},
};
