import { toExchanges } from "../exchange.ts";

const record = {
	id: "rec560UJdUtocSouk",
	createdTime: "2022-09-12T21:03:48.000Z",
	fields: { Name: "Call back", Status: "Done" },
};
const place = { base_id: "appLkNDICXNqxSDhG", table: "To do" };

export const airtable = toExchanges(
	{
		id: "airtable",
		authRecipe: "airtable_token",
		fields: { token: "test-airtable-token" },
		base: "https://api.airtable.com/v0/appLkNDICXNqxSDhG/To%20do",
		headers: { authorization: "Bearer test-airtable-token" },
	},
	{
		list_records: {
			params: {
				...place,
				formula: "{Status} = 'Done'",
				sort: [{ field: "Name", direction: "asc" }],
				max_records: 50,
			},
			sends: "POST /listRecords",
			json: {
				filterByFormula: "{Status} = 'Done'",
				sort: [{ field: "Name", direction: "asc" }],
				maxRecords: 50,
				pageSize: 100,
			},
			answer: { records: [record], offset: "itrabc/rec560UJdUtocSouk" },
		},
		get_record: {
			params: { ...place, record_id: "rec560UJdUtocSouk" },
			sends: "GET /rec560UJdUtocSouk",
			answer: record,
		},
		create_records: {
			params: { ...place, records: [{ fields: { Name: "Call back" } }], typecast: true },
			sends: "POST ",
			json: { records: [{ fields: { Name: "Call back" } }], typecast: true },
			answer: { records: [record] },
		},
		update_record: {
			params: { ...place, record_id: "rec560UJdUtocSouk", fields: { Status: "Done" } },
			sends: "PATCH /rec560UJdUtocSouk",
			json: { fields: { Status: "Done" } },
			answer: record,
		},
		delete_record: {
			params: { ...place, record_id: "rec560UJdUtocSouk" },
			sends: "DELETE /rec560UJdUtocSouk",
			answer: { id: "rec560UJdUtocSouk", deleted: true },
		},
	},
);
