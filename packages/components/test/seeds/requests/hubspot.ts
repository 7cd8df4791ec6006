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
		base: "https://api.hubapi.com/crm",
		headers: { authorization: "Bearer test-hubspot-token" },
	},
	{
		create_record: {
			params: { properties: { email: "ada@example.com", lastname: "Lovelace" } },
			sends: "POST /v3/objects/contacts",
			json: { properties: { email: "ada@example.com", lastname: "Lovelace" } },
			status: 201,
			answer: record,
		},
		get_record: {
			params: { record_id: "33451", properties: "email,phone" },
			sends: "GET /v3/objects/contacts/33451?properties=email%2Cphone",
			answer: record,
		},
		update_record: {
			params: { object_type: "companies", record_id: "33451", properties: { phone: "5551234" } },
			sends: "PATCH /v3/objects/companies/33451",
			json: { properties: { phone: "5551234" } },
			answer: record,
		},
		list_records: {
			params: { object_type: "deals", limit: 10, after: "NTI1Cg%3D%3D" },
			sends: "GET /v3/objects/deals?limit=10&after=NTI1Cg%253D%253D",
			answer: { results: [record], paging: { next: { after: "11" } } },
		},
		search_records: {
			params: {
				filters: [{ propertyName: "email", operator: "EQ", value: "ada@example.com" }],
				properties: ["email"],
			},
			sends: "POST /v3/objects/contacts/search",
			json: {
				filterGroups: [{ filters: [{ propertyName: "email", operator: "EQ", value: "ada@example.com" }] }],
				properties: ["email"],
				limit: 100,
			},
			answer: { total: 1, results: [record] },
		},
		upsert_record: {
			params: { id: "ada@example.com", properties: { lastname: "Lovelace" } },
			sends: "POST /v3/objects/contacts/batch/upsert",
			json: {
				inputs: [{ idProperty: "email", id: "ada@example.com", properties: { lastname: "Lovelace" } }],
			},
			answer: { status: "COMPLETE", results: [{ ...record, new: false }] },
			output: { ...record, new: false },
		},
		archive_record: {
			params: { object_type: "deals", record_id: "33451" },
			sends: "DELETE /v3/objects/deals/33451",
			status: 204,
			output: { archived: true },
		},
		associate: {
			params: { record_id: "33451", to_object_type: "companies", to_record_id: "9001" },
			sends: "PUT /v4/objects/contacts/33451/associations/default/companies/9001",
			answer: {
				status: "COMPLETE",
				results: [{ from: { id: "33451" }, to: { id: "9001" }, associationSpec: { associationTypeId: 279 } }],
			},
		},
		list_associations: {
			params: { record_id: "33451", to_object_type: "deals", limit: 10, after: "12" },
			sends: "GET /v4/objects/contacts/33451/associations/deals?limit=10&after=12",
			answer: {
				results: [
					{
						toObjectId: 5790939450,
						associationTypes: [{ category: "HUBSPOT_DEFINED", typeId: 4, label: null }],
					},
				],
			},
		},
		add_note: {
			params: { record_id: "301", text: "Spoke with decision maker.", time: "2026-01-31T09:00:00Z" },
			sends: "POST /v3/objects/notes",
			json: {
				properties: { hs_timestamp: "2026-01-31T09:00:00Z", hs_note_body: "Spoke with decision maker." },
				associations: [
					{ to: { id: "301" }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: 202 }] },
				],
			},
			status: 201,
			answer: record,
		},
		list_owners: {
			params: { email: "ada@example.com" },
			sends: "GET /v3/owners?email=ada%40example.com&limit=100",
			answer: { results: [{ id: "1", email: "ada@example.com", archived: false }] },
		},
	},
);
