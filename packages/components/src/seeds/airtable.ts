import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, object, params } from "./schema.ts";

const base_id = text("The base's id, starts with app");
const table = text("The table's id or name");
const record_id = text("The record's id, starts with rec");
const fields = object("Values by field name");
const typecast = flag("Converts text to the field's type if possible");
const record = answer({ id: text("The record's id"), createdTime: text("Creation time"), fields });

export const airtable: ApiRecipe = {
	id: "airtable",
	category: "data",
	title: "Airtable",
	description: "Records of Airtable bases.",
	auth: "airtable_token",
	base_url: "https://api.airtable.com/v0",
	docs_url: "https://airtable.com/developers/web/api/introduction",
	operations: {
		list_records: {
			title: "List records",
			description: "Returns at most 100 records; pass the response's offset to get the next ones.",
			method: "POST",
			path: "/{base_id}/{table}/listRecords",
			params: params(
				{ base_id, table },
				{
					formula: text("Only records for which this formula is true, such as {Status} = 'Done'"),
					view: text("Only records of this view, in its order"),
					fields: list(text("A field's name"), "Only these fields"),
					sort: list(
						object("{ field, direction }", {
							field: text("A field's name"),
							direction: choice(["asc", "desc"], "Sort direction"),
						}),
						"Sort order",
					),
					max_records: integer("Maximum number of records over all pages", { minimum: 1 }),
					page_size: integer("Records per page", { minimum: 1, maximum: 100, default: 100 }),
					offset: text("offset of the previous response"),
				},
			),
			body: {
				kind: "json",
				value: {
					filterByFormula: "{{params.formula}}",
					view: "{{params.view}}",
					fields: "{{params.fields}}",
					sort: "{{params.sort}}",
					maxRecords: "{{params.max_records}}",
					pageSize: "{{params.page_size}}",
					offset: "{{params.offset}}",
				},
			},
			paginate: { by: "cursor", cursor: "offset", optional: true, body: "offset", items: "records" },
			output: {
				schema: answer({
					records: list(record, "The records"),
					offset: text("Offset of the next page; missing on the last page"),
				}),
			},
			examples: [
				{
					title: "Completed ones",
					params: { base_id: "appLkNDICXNqxSDhG", table: "Tasks", formula: "{Status} = 'Done'" },
				},
			],
		},
		get_record: {
			title: "Get a record",
			method: "GET",
			path: "/{base_id}/{table}/{record_id}",
			params: params({ base_id, table, record_id }),
			output: { schema: record },
			examples: [
				{
					title: "One",
					params: { base_id: "appLkNDICXNqxSDhG", table: "Tasks", record_id: "rec560UJdUtocSouk" },
				},
			],
		},
		create_records: {
			title: "Create records",
			method: "POST",
			path: "/{base_id}/{table}",
			params: params(
				{
					base_id,
					table,
					records: list(object("A record, as { fields }", { fields }), "Up to ten records", {
						minItems: 1,
						maxItems: 10,
					}),
				},
				{ typecast },
			),
			body: { kind: "json", value: { records: "{{params.records}}", typecast: "{{params.typecast}}" } },
			output: { schema: answer({ records: list(record, "The new records") }) },
			examples: [
				{
					title: "One task",
					params: {
						base_id: "appLkNDICXNqxSDhG",
						table: "Tasks",
						records: [{ fields: { Name: "Call back", Status: "Todo" } }],
					},
				},
			],
		},
		update_record: {
			title: "Update a record",
			description: "Changes only the given fields.",
			method: "PATCH",
			path: "/{base_id}/{table}/{record_id}",
			params: params({ base_id, table, record_id, fields }, { typecast }),
			body: { kind: "json", value: { fields: "{{params.fields}}", typecast: "{{params.typecast}}" } },
			output: { schema: record },
			examples: [
				{
					title: "Done",
					params: {
						base_id: "appLkNDICXNqxSDhG",
						table: "Tasks",
						record_id: "rec560UJdUtocSouk",
						fields: { Status: "Done" },
					},
				},
			],
		},
		delete_record: {
			title: "Delete a record",
			method: "DELETE",
			path: "/{base_id}/{table}/{record_id}",
			params: params({ base_id, table, record_id }),
			output: { schema: answer({ id: text("The record's id"), deleted: flag("Always true") }) },
			examples: [
				{
					title: "One",
					params: { base_id: "appLkNDICXNqxSDhG", table: "Tasks", record_id: "rec560UJdUtocSouk" },
				},
			],
		},
	},
};
