import { toExchanges } from "../exchange.ts";

const to = [{ email: "ada@example.com", name: "Ada" }];
const from = { email: "shop@example.com", name: "Shop" };
const sent = {
	status: 202,
	answerHeaders: { "x-message-id": "14c5d75ce93.dfd.64b469" },
	output: { message_id: "14c5d75ce93.dfd.64b469" },
};
const contact = { id: "c1", email: "ada@example.com", first_name: "Ada" };

export const sendgrid = toExchanges(
	{
		id: "sendgrid",
		authRecipe: "sendgrid_key",
		fields: { token: "SG.test" },
		base: "https://api.sendgrid.com/v3",
		headers: { authorization: "Bearer SG.test" },
	},
	{
		send_email: {
			params: {
				to,
				from,
				subject: "Your order",
				content: "<p>On its way</p>",
				content_type: "text/html",
				bcc: [{ email: "log@example.com" }],
			},
			sends: "POST /mail/send",
			json: {
				personalizations: [{ to, bcc: [{ email: "log@example.com" }] }],
				from,
				subject: "Your order",
				content: [{ type: "text/html", value: "<p>On its way</p>" }],
			},
			...sent,
		},
		send_template: {
			params: { to, from, template_id: "d-0123", data: { total: "12.50" }, categories: ["receipt"] },
			sends: "POST /mail/send",
			json: {
				personalizations: [{ to, dynamic_template_data: { total: "12.50" } }],
				from,
				template_id: "d-0123",
				categories: ["receipt"],
			},
			...sent,
		},
		list_templates: {
			sends: "GET /templates?generations=dynamic&page_size=100",
			answer: { result: [{ id: "d-0123", name: "Receipt", generation: "dynamic" }], _metadata: { count: 1 } },
		},
		upsert_contacts: {
			params: { contacts: [{ email: "ada@example.com", first_name: "Ada" }], list_ids: ["l1"] },
			sends: "PUT /marketing/contacts",
			json: { list_ids: ["l1"], contacts: [{ email: "ada@example.com", first_name: "Ada" }] },
			status: 202,
			answer: { job_id: "j1" },
		},
		find_contacts: {
			params: { emails: ["ada@example.com"] },
			sends: "POST /marketing/contacts/search/emails",
			json: { emails: ["ada@example.com"] },
			answer: { result: { "ada@example.com": { contact } } },
		},
		search_contacts: {
			params: { query: "email LIKE '%@example.com'" },
			sends: "POST /marketing/contacts/search",
			json: { query: "email LIKE '%@example.com'" },
			answer: { result: [contact], contact_count: 1 },
		},
		delete_contacts: {
			params: { ids: ["c1", "c2"] },
			sends: "DELETE /marketing/contacts?ids=c1%2Cc2",
			status: 202,
			answer: { job_id: "j2" },
		},
		list_lists: {
			params: { page_size: 10, page_token: "t1" },
			sends: "GET /marketing/lists?page_size=10&page_token=t1",
			answer: { result: [{ id: "l1", name: "News", contact_count: 3 }], _metadata: { count: 1 } },
		},
		list_bounces: {
			params: { start_time: 1_769_850_000 },
			sends: "GET /suppression/bounces?start_time=1769850000&limit=500&offset=0",
			answer: [
				{ created: 1_769_850_001, email: "old@example.com", reason: "550 No such user", status: "5.1.1" },
			],
		},
	},
);
