import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, integer, list, text } from "../schema-words.ts";
import { answer, object, params, pass } from "./schema.ts";

const address = object("{ email, name }", { email: text("An e-mail address"), name: text("A name") });
const addresses = (description: string) => list(address, description);
const addressing = {
	to: list(address, "Recipients, as { email, name }; all see each other", { minItems: 1, maxItems: 1000 }),
	from: { ...address, description: "Sender, as { email, name }; a verified address" },
};
const more = {
	cc: addresses("Copies"),
	bcc: addresses("Hidden copies"),
	reply_to: { ...address, description: "Address for replies" },
	attachments: list(
		object("{ content, filename, type }", {
			content: text("The content as base64"),
			filename: text("Its name"),
			type: text("Its media type"),
		}),
		"Attachments",
	),
	categories: list(text("A category"), "For statistics", { maxItems: 10 }),
	send_at: integer("When to send it, in seconds since 1970; at most 72 hours ahead"),
};
const to = { to: "{{params.to}}", cc: "{{params.cc}}", bcc: "{{params.bcc}}" };
const rest = pass("from", "reply_to", "attachments", "categories", "send_at");
const accepted = {
	value: { message_id: '{{headers["x-message-id"]}}' },
	schema: answer({ message_id: text("The message's id") }),
};
const contact = object("A contact", { id: text("Its id"), email: text("E-mail address") });

export const sendgrid: ApiRecipe = {
	id: "sendgrid",
	category: "email",
	title: "SendGrid",
	description: "Sends e-mail and manages marketing contacts with Twilio SendGrid.",
	auth: "sendgrid_key",
	base_url: "https://api.sendgrid.com/v3",
	docs_url: "https://www.twilio.com/docs/sendgrid/api-reference",
	operations: {
		send_email: {
			title: "Send an e-mail",
			method: "POST",
			path: "/mail/send",
			params: params(
				{ ...addressing, subject: text("The subject"), content: text("The text, or HTML", { minLength: 1 }) },
				{
					content_type: choice(["text/plain", "text/html"], "Type of the content", { default: "text/plain" }),
					...more,
				},
			),
			body: {
				kind: "json",
				value: {
					personalizations: [to],
					subject: "{{params.subject}}",
					content: [{ type: "{{params.content_type}}", value: "{{params.content}}" }],
					...rest,
				},
			},
			response: "text",
			output: accepted,
			examples: [
				{
					title: "A reminder",
					params: {
						to: [{ email: "ada@example.com", name: "Ada" }],
						from: { email: "shop@example.com" },
						subject: "Your order",
						content: "<p>It is on its way.</p>",
						content_type: "text/html",
					},
				},
			],
		},
		send_template: {
			title: "Send an e-mail from a dynamic template",
			method: "POST",
			path: "/mail/send",
			params: params(
				{ ...addressing, template_id: text("The template's id, starts with d-") },
				{ data: object("Values for the template"), ...more },
			),
			body: {
				kind: "json",
				value: {
					personalizations: [{ ...to, dynamic_template_data: "{{params.data}}" }],
					template_id: "{{params.template_id}}",
					...rest,
				},
			},
			response: "text",
			output: accepted,
			examples: [
				{
					title: "A receipt",
					params: {
						to: [{ email: "ada@example.com" }],
						from: { email: "shop@example.com" },
						template_id: "d-0123456789abcdef0123456789abcdef",
						data: { total: "12.50" },
					},
				},
			],
		},
		list_templates: {
			title: "List dynamic templates",
			method: "GET",
			path: "/templates",
			params: params(
				{},
				{
					page_size: integer("Maximum number of results", { minimum: 1, maximum: 200, default: 100 }),
					page_token: text("The page_token in _metadata.next of the previous page"),
				},
			),
			query: { generations: "dynamic", ...pass("page_size", "page_token") },
			paginate: { by: "link", url: "_metadata.next", items: "result" },
			output: {
				schema: answer({
					result: list(object("A template", { id: text("Its id"), name: text("Its name") }), "The templates"),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		upsert_contacts: {
			title: "Create or update contacts",
			description:
				"Contacts are found by their e-mail address. It takes a while until the change is visible.",
			method: "PUT",
			path: "/marketing/contacts",
			params: params(
				{
					contacts: list(
						object("A contact: email, first_name, last_name, custom_fields and others", {
							email: text("E-mail address"),
						}),
						"The contacts",
						{ minItems: 1, maxItems: 30_000 },
					),
				},
				{ list_ids: list(text("A list's id"), "Lists to add them to, from list_lists") },
			),
			body: { kind: "json", value: pass("list_ids", "contacts") },
			output: { schema: answer({ job_id: text("The id of the change") }) },
			examples: [{ title: "One", params: { contacts: [{ email: "ada@example.com", first_name: "Ada" }] } }],
		},
		find_contacts: {
			title: "Find contacts by e-mail address",
			description: "Fails with 404 if none is found.",
			method: "POST",
			path: "/marketing/contacts/search/emails",
			params: params({
				emails: list(text("An e-mail address"), "The addresses", { minItems: 1, maxItems: 100 }),
			}),
			body: { kind: "json", value: pass("emails") },
			output: { schema: answer({ result: object("By address: { contact }") }) },
			examples: [{ title: "One", params: { emails: ["ada@example.com"] } }],
		},
		search_contacts: {
			title: "Search contacts",
			description: "Returns at most 50 contacts.",
			method: "POST",
			path: "/marketing/contacts/search",
			params: params({ query: text("A condition in SGQL, such as email LIKE '%@example.com'") }),
			body: { kind: "json", value: pass("query") },
			output: {
				schema: answer({
					result: list(contact, "The contacts"),
					contact_count: integer("Number of matches"),
				}),
			},
			examples: [{ title: "Of one company", params: { query: "email LIKE '%@example.com'" } }],
		},
		delete_contacts: {
			title: "Delete contacts",
			method: "DELETE",
			path: "/marketing/contacts",
			params: params({ ids: list(text("A contact's id"), "The contacts", { minItems: 1, maxItems: 100 }) }),
			query: { ids: '{{params.ids | join(",")}}' },
			output: { schema: answer({ job_id: text("The id of the change") }) },
			examples: [{ title: "One", params: { ids: ["c1f2b3a4-0000-4000-8000-000000000001"] } }],
		},
		list_lists: {
			title: "List the lists of contacts",
			method: "GET",
			path: "/marketing/lists",
			params: params(
				{},
				{
					page_size: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 100 }),
					page_token: text("The page_token in _metadata.next of the previous page"),
				},
			),
			query: pass("page_size", "page_token"),
			paginate: { by: "link", url: "_metadata.next", items: "result" },
			output: {
				schema: answer({
					result: list(
						object("A list", {
							id: text("Its id"),
							name: text("Its name"),
							contact_count: integer("Number of contacts"),
						}),
						"The lists",
					),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		list_bounces: {
			title: "List bounced addresses",
			method: "GET",
			path: "/suppression/bounces",
			params: params(
				{},
				{
					start_time: integer("Only later ones, in seconds since 1970"),
					end_time: integer("Only earlier ones, in seconds since 1970"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 500, default: 500 }),
					offset: integer("Number of results to skip", { minimum: 0, default: 0 }),
				},
			),
			query: pass("start_time", "end_time", "limit", "offset"),
			paginate: { by: "page", param: "offset", start: 0, step: 500, size_param: "limit", size: 500 },
			output: {
				schema: list(
					answer({ email: text("The address"), reason: text("Why"), created: integer("When") }),
					"The addresses",
				),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
