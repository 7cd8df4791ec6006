import { toExchanges } from "../exchange.ts";

const deal = {
	id: 42,
	title: "New website",
	value: 5000,
	currency: "EUR",
	status: "open",
	stage_id: 1,
	person_id: 7,
	org_id: null,
};
const person = {
	id: 7,
	name: "Ada Lovelace",
	org_id: 3,
	emails: [{ value: "ada@example.com", primary: true }],
};

export const pipedrive = toExchanges(
	{
		id: "pipedrive",
		authRecipe: "pipedrive_token",
		fields: { company: "acme", token: "test-pipedrive-token" },
		base: "https://acme.pipedrive.com/api",
		headers: { "x-api-token": "test-pipedrive-token" },
	},
	{
		list_deals: {
			params: { status: "open", pipeline_id: 2, limit: 10, cursor: "eyJkZWFsIjo0Mn0" },
			sends: "GET /v2/deals?status=open&pipeline_id=2&limit=10&cursor=eyJkZWFsIjo0Mn0",
			answer: { success: true, data: [deal], additional_data: { next_cursor: null } },
		},
		get_deal: {
			params: { deal_id: 42 },
			sends: "GET /v2/deals/42",
			answer: { success: true, data: deal },
			output: deal,
		},
		create_deal: {
			params: { title: "New website", value: 5000, currency: "EUR", person_id: 7 },
			sends: "POST /v2/deals",
			json: { title: "New website", value: 5000, currency: "EUR", person_id: 7 },
			status: 201,
			answer: { success: true, data: deal },
			output: deal,
		},
		update_deal: {
			params: { deal_id: 42, status: "won", custom_fields: { d4de1c1518b4531717c676029a45911c340390a6: 1 } },
			sends: "PATCH /v2/deals/42",
			json: { status: "won", custom_fields: { d4de1c1518b4531717c676029a45911c340390a6: 1 } },
			answer: { success: true, data: { ...deal, status: "won" } },
			output: { ...deal, status: "won" },
		},
		create_person: {
			params: {
				name: "Ada Lovelace",
				emails: [{ value: "ada@example.com", primary: true, label: "work" }],
				org_id: 3,
			},
			sends: "POST /v2/persons",
			json: {
				name: "Ada Lovelace",
				emails: [{ value: "ada@example.com", primary: true, label: "work" }],
				org_id: 3,
			},
			status: 201,
			answer: { success: true, data: person },
			output: person,
		},
		update_person: {
			params: { person_id: 7, phones: [{ value: "12345", primary: true, label: "mobile" }] },
			sends: "PATCH /v2/persons/7",
			json: { phones: [{ value: "12345", primary: true, label: "mobile" }] },
			answer: { success: true, data: person },
			output: person,
		},
		search_persons: {
			params: { term: "ada@example.com", fields: "email", exact_match: true },
			sends: "GET /v2/persons/search?term=ada%40example.com&fields=email&exact_match=true&limit=100",
			answer: {
				success: true,
				data: { items: [{ result_score: 0.29, item: { id: 7, type: "person", name: "Ada Lovelace" } }] },
				additional_data: { next_cursor: null },
			},
		},
		create_organization: {
			params: { name: "Acme", owner_id: 1 },
			sends: "POST /v2/organizations",
			json: { name: "Acme", owner_id: 1 },
			status: 201,
			answer: { success: true, data: { id: 3, name: "Acme" } },
			output: { id: 3, name: "Acme" },
		},
		create_activity: {
			params: {
				subject: "Call back",
				type: "call",
				due_date: "2026-01-31",
				deal_id: 42,
				participants: [{ person_id: 7, primary: true }],
			},
			sends: "POST /v2/activities",
			json: {
				subject: "Call back",
				type: "call",
				due_date: "2026-01-31",
				deal_id: 42,
				participants: [{ person_id: 7, primary: true }],
			},
			status: 201,
			answer: { success: true, data: { id: 9, subject: "Call back", done: false } },
			output: { id: 9, subject: "Call back", done: false },
		},
		add_note: {
			params: { content: "Wants an offer.", deal_id: 42 },
			sends: "POST /v1/notes",
			json: { content: "Wants an offer.", deal_id: 42 },
			answer: { success: true, data: { id: 11, content: "Wants an offer." } },
			output: { id: 11, content: "Wants an offer." },
		},
	},
);
