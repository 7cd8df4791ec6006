import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const row = { id: 1, order: "1.00000000000000000000", Name: "Call back", Done: false };
const filters = { filter_type: "AND", filters: [{ field: "Done", type: "boolean", value: "false" }] };

export const baserow = toExchanges(
	{
		id: "baserow",
		authRecipe: "baserow_token",
		fields: { host: "api.baserow.io", token: "test-baserow-token" },
		base: "https://api.baserow.io/api",
		headers: { authorization: "Token test-baserow-token" },
	},
	{
		list_rows: {
			params: { table_id: 123, filters, order_by: "-Name" },
			sends: `GET /database/rows/table/123/?user_field_names=true&filters=${encodeURIComponent(JSON.stringify(filters))}&order_by=-Name&page=1&size=100`,
			answer: { count: 1, next: null, previous: null, results: [row] },
		},
		get_row: {
			params: { table_id: 123, row_id: 1 },
			sends: "GET /database/rows/table/123/1/?user_field_names=true",
			answer: row,
		},
		create_row: {
			params: { table_id: 123, fields: { Name: "Call back", Done: false } },
			sends: "POST /database/rows/table/123/?user_field_names=true",
			json: { Name: "Call back", Done: false },
			answer: row,
		},
		create_rows: {
			params: { table_id: 123, rows: [{ Name: "One" }, { Name: "Two" }] },
			sends: "POST /database/rows/table/123/batch/?user_field_names=true",
			json: { items: [{ Name: "One" }, { Name: "Two" }] },
			answer: { items: [row] },
		},
		update_row: {
			params: { table_id: 123, row_id: 1, fields: { Done: true } },
			sends: "PATCH /database/rows/table/123/1/?user_field_names=true",
			json: { Done: true },
			answer: { ...row, Done: true },
		},
		update_rows: {
			params: { table_id: 123, rows: [{ id: 1, Done: true }] },
			sends: "PATCH /database/rows/table/123/batch/?user_field_names=true",
			json: { items: [{ id: 1, Done: true }] },
			answer: { items: [{ ...row, Done: true }] },
		},
		delete_row: {
			params: { table_id: 123, row_id: 1 },
			sends: "DELETE /database/rows/table/123/1/",
			status: 204,
			output: { deleted: true },
		},
		list_tables: {
			sends: "GET /database/tables/all-tables/",
			answer: [{ id: 123, name: "Tasks", order: 1, database_id: 45 }],
		},
		list_fields: {
			params: { table_id: 123 },
			sends: "GET /database/fields/table/123/",
			answer: [{ id: 1, table_id: 123, name: "Name", type: "text", primary: true }],
		},
		upload_file: {
			params: { file: picture },
			sends: "POST /user-files/upload-file/",
			parts: [{ name: "file", filename: "chart ü.png", type: "image/png", content: PICTURE }],
			answer: {
				name: "VXotniBOVm8tbstZkKsMKbj2Qg7KmPvn_39d3.png",
				original_name: "chart ü.png",
				url: "https://files.baserow.io/user_files/x.png",
			},
		},
	},
);
