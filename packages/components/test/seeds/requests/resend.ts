import { toExchanges } from "../exchange.ts";

const id = "49a3999c-0ce1-4ea6-ab68-afcd6dc2e794";
const email = { from: "Acme <onboarding@resend.dev>", to: ["delivered@resend.dev"], subject: "Hello" };

export const resend = toExchanges(
	{
		id: "resend",
		authRecipe: "resend_key",
		fields: { token: "test-resend-key" },
		base: "https://api.resend.com",
		headers: { authorization: "Bearer test-resend-key" },
	},
	{
		send_email: {
			params: {
				...email,
				html: "<p>It works</p>",
				reply_to: "help@example.com",
				idempotency_key: "welcome-user/123456789",
			},
			sends: "POST /emails",
			headers: { "idempotency-key": "welcome-user/123456789" },
			json: { ...email, html: "<p>It works</p>", reply_to: "help@example.com" },
			answer: { id },
		},
		send_batch: {
			params: {
				emails: [
					{ ...email, text: "A" },
					{ ...email, text: "B" },
				],
			},
			sends: "POST /emails/batch",
			json: [
				{ ...email, text: "A" },
				{ ...email, text: "B" },
			],
			answer: { data: [{ id }, { id: "faccb7a5-8a28-4e9a-ac64-8da1cc3bc1cb" }] },
		},
		get_email: {
			params: { email_id: id },
			sends: `GET /emails/${id}`,
			answer: {
				object: "email",
				id,
				to: ["delivered@resend.dev"],
				from: "Acme <onboarding@resend.dev>",
				created_at: "2023-04-03T22:13:42.674981+00:00",
				subject: "Hello",
				scheduled_at: null,
				last_event: "delivered",
			},
		},
		cancel_email: {
			params: { email_id: id },
			sends: `POST /emails/${id}/cancel`,
			answer: { object: "email", id },
		},
		list_domains: {
			sends: "GET /domains",
			answer: {
				data: [{ id: "d91cd9bd-1176-453e-8fc1-35364d380206", name: "example.com", status: "verified" }],
			},
		},
	},
);
