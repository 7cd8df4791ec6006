import type { ApiRecipe } from "@tripline/contract/recipes";
import { list, text } from "../schema-words.ts";
import { answer, anyOf, object, orNull, params } from "./schema.ts";

const addresses = (description: string) =>
	anyOf([{ type: "string" }, { type: "array", items: { type: "string" }, maxItems: 50 }], description);
const email_id = text("The e-mail's id");
const idempotency_key = text("Requests with the same key send only once within 24 hours", { maxLength: 256 });
const headers = { "idempotency-key": "{{params.idempotency_key}}" };
const sent = answer({ id: text("The e-mail's id") });

export const resend: ApiRecipe = {
	id: "resend",
	category: "email",
	title: "Resend",
	description: "Sends e-mail with Resend and reports delivery.",
	auth: "resend_key",
	base_url: "https://api.resend.com",
	docs_url: "https://resend.com/docs/api-reference/introduction",
	operations: {
		send_email: {
			title: "Send an e-mail",
			description: "Set text, html or both.",
			method: "POST",
			path: "/emails",
			params: params(
				{
					from: text("Sender, such as Acme <hello@acme.com>; the domain must be verified"),
					to: addresses("One or up to 50 addresses"),
					subject: text("The subject"),
				},
				{
					text: text("Plain text body"),
					html: text("HTML body"),
					cc: addresses("CC recipients"),
					bcc: addresses("BCC recipients"),
					reply_to: addresses("Reply-to addresses"),
					scheduled_at: text("Time to send it: ISO 8601, or text such as in 1 hour"),
					tags: list(object("{ name, value }"), "Tags for your statistics"),
					attachments: list(object("{ filename, content (base64) or path (https://) }"), "Files"),
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					from: "{{params.from}}",
					to: "{{params.to}}",
					subject: "{{params.subject}}",
					text: "{{params.text}}",
					html: "{{params.html}}",
					cc: "{{params.cc}}",
					bcc: "{{params.bcc}}",
					reply_to: "{{params.reply_to}}",
					scheduled_at: "{{params.scheduled_at}}",
					tags: "{{params.tags}}",
					attachments: "{{params.attachments}}",
				},
			},
			output: { schema: sent },
			examples: [
				{
					title: "Plain text",
					params: {
						from: "Acme <onboarding@resend.dev>",
						to: "delivered@resend.dev",
						subject: "Hello",
						text: "It works.",
					},
				},
			],
		},
		send_batch: {
			title: "Send up to 100 e-mails at once",
			method: "POST",
			path: "/emails/batch",
			params: params(
				{
					emails: list(object("{ from, to, subject, text or html }"), "The e-mails", {
						minItems: 1,
						maxItems: 100,
					}),
				},
				{ idempotency_key },
			),
			headers,
			body: { kind: "json", value: "{{params.emails}}" },
			output: { schema: answer({ data: list(sent, "The ids, in the same order") }) },
			examples: [
				{
					title: "Two",
					params: {
						emails: [
							{ from: "onboarding@resend.dev", to: "a@example.com", subject: "Hello", text: "A" },
							{ from: "onboarding@resend.dev", to: "b@example.com", subject: "Hello", text: "B" },
						],
					},
				},
			],
		},
		get_email: {
			title: "Get an e-mail and its delivery status",
			method: "GET",
			path: "/emails/{email_id}",
			params: params({ email_id }),
			output: {
				schema: answer({
					id: text("Its id"),
					to: list(text("An address"), "Recipients"),
					subject: text("The subject"),
					created_at: text("Creation time"),
					last_event: text("Such as delivered, bounced or opened"),
					scheduled_at: orNull(text("Scheduled time")),
				}),
			},
			examples: [{ title: "One", params: { email_id: "4ef9a417-02e9-4d39-ad75-9611e0fcc33c" } }],
		},
		cancel_email: {
			title: "Cancel a scheduled e-mail",
			method: "POST",
			path: "/emails/{email_id}/cancel",
			params: params({ email_id }),
			output: { schema: sent },
			examples: [{ title: "One", params: { email_id: "4ef9a417-02e9-4d39-ad75-9611e0fcc33c" } }],
		},
		list_domains: {
			title: "List domains",
			method: "GET",
			path: "/domains",
			params: params({}),
			paginate: { by: "cursor", last: "id", more: "has_more", param: "after", items: "data" },
			output: {
				schema: answer({
					data: list(
						object("A domain", {
							id: text("Its id"),
							name: text("Its name"),
							status: text("Such as verified"),
						}),
						"The domains",
					),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
