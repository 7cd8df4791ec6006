import { toExchanges } from "../exchange.ts";

const record = {
	id: "33451",
	properties: { email: "ada@example.com", lastname: "Lovelace" },
	createdAt: "2023-01-09T19:47:21.210Z",
	updatedAt: "2023-01-09T19:47:22.012Z",
	archived: false,
};

export const hubspot = toExchanges(
	{
		id: "hubspot",
		authRecipe: "hubspot_token",
		fields: { token: "test-hubspot-token" },
		base: "https://api.hubapi.com/crm/v3/objects",
		headers: { authorization: "Bearer test-hubspot-token" },
	},
	{
		create_record: {
			params: { properties: { email: "ada@example.com", lastname: "Lovelace" } },
			sends: "POST /contacts",
			json: { properties: { email: "ada@example.com", lastname: "Lovelace" } },
			status: 201,
			answer: record,
		},
		get_record: {
			params: { record_id: "33451", properties: "email,phone" },
			sends: "GET /contacts/33451?properties=email%2Cphone",
			answer: record,
		},
		update_record: {
			params: { object_type: "companies", record_id: "33451", properties: { phone: "5551234" } },
			sends: "PATCH /companies/33451",
			json: { properties: { phone: "5551234" } },
			answer: record,
		},
		list_records: {
			params: { object_type: "deals", limit: 10, after: "NTI1Cg%3D%3D" },
			sends: "GET /deals?limit=10&after=NTI1Cg%253D%253D",
			answer: { results: [record], paging: { next: { after: "11" } } },
		},
		search_records: {
			params: {
				filters: [{ propertyName: "email", operator: "EQ", value: "ada@example.com" }],
				properties: ["email"],
			},
			sends: "POST /contacts/search",
			json: {
				filterGroups: [{ filters: [{ propertyName: "email", operator: "EQ", value: "ada@example.com" }] }],
				properties: ["email"],
				limit: 100,
			},
			answer: { total: 1, results: [record] },
		},
	},
);
