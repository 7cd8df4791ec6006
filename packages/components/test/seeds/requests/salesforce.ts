import { toExchanges } from "../exchange.ts";

const record_id = "0031x00000AbCdE";

export const salesforce = toExchanges(
	{
		id: "salesforce",
		authRecipe: "salesforce_token",
		fields: { instance: "acme.my.salesforce.com", token: "test-salesforce-token" },
		base: "https://acme.my.salesforce.com/services/data/v64.0",
		headers: { authorization: "Bearer test-salesforce-token" },
	},
	{
		query: {
			params: { query: "SELECT Id FROM Lead WHERE Name = 'O\\'Brien'" },
			sends: "GET /query?q=SELECT%20Id%20FROM%20Lead%20WHERE%20Name%20%3D%20%27O%5C%27Brien%27",
			answer: { totalSize: 1, done: true, records: [{ attributes: { type: "Lead" }, Id: "00Q1" }] },
		},
		query_more: {
			params: { locator: "01gD0000002HU6KIAW-2000" },
			sends: "GET /query/01gD0000002HU6KIAW-2000",
			answer: { totalSize: 3200, done: true, records: [] },
		},
		search: {
			params: { query: "FIND {Ada} RETURNING Contact(Id)" },
			sends: "GET /search?q=FIND%20%7BAda%7D%20RETURNING%20Contact%28Id%29",
			answer: { searchRecords: [{ attributes: { type: "Contact" }, Id: record_id }] },
		},
		get_record: {
			params: { type: "Contact", record_id, fields: "Name,Email" },
			sends: `GET /sobjects/Contact/${record_id}?fields=Name%2CEmail`,
			answer: { attributes: { type: "Contact" }, Id: record_id, Name: "Ada", Email: null },
		},
		create_record: {
			params: { type: "Lead", fields: { LastName: "Lovelace", Company: "Acme" } },
			sends: "POST /sobjects/Lead",
			json: { LastName: "Lovelace", Company: "Acme" },
			status: 201,
			answer: { id: "00Q1", success: true, errors: [] },
		},
		update_record: {
			params: { type: "Contact", record_id, fields: { Phone: null } },
			sends: `PATCH /sobjects/Contact/${record_id}`,
			json: { Phone: null },
			status: 204,
			output: { updated: true },
		},
		upsert_record: {
			params: {
				type: "Account",
				external_field: "Customer_Number__c",
				external_id: "47/11",
				fields: { Name: "Acme" },
			},
			sends: "PATCH /sobjects/Account/Customer_Number__c/47%2F11",
			json: { Name: "Acme" },
			status: 201,
			answer: { id: "0011x", success: true, errors: [], created: true },
			output: { id: "0011x", created: true },
		},
		delete_record: {
			params: { type: "Lead", record_id: "00Q1" },
			sends: "DELETE /sobjects/Lead/00Q1",
			status: 204,
			output: { deleted: true },
		},
		describe_object: {
			params: { type: "Contact" },
			sends: "GET /sobjects/Contact/describe",
			answer: {
				name: "Contact",
				label: "Contact",
				createable: true,
				urls: {},
				fields: [{ name: "Email", label: "Email", type: "email" }],
			},
			output: {
				name: "Contact",
				label: "Contact",
				createable: true,
				fields: [{ name: "Email", label: "Email", type: "email" }],
			},
		},
		list_objects: {
			sends: "GET /sobjects",
			answer: { encoding: "UTF-8", sobjects: [{ name: "Account" }, { name: "Contact" }] },
			output: { names: ["Account", "Contact"] },
		},
	},
);
