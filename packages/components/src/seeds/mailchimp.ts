import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, integer, list, text } from "../schema-words.ts";
import { answer, done, object, params, pass } from "./schema.ts";

const LIST = "57afe96172";
const list_id = text("The audience's id, from list_audiences");
const email = text("The member's e-mail address");
const campaign_id = text("The campaign's id");
const merge_fields = object("Values by merge tag, such as { FNAME: Ada }");
const STATUSES = ["subscribed", "unsubscribed", "cleaned", "pending", "transactional"];
const paging = {
	count: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 100 }),
	offset: integer("Number of results to skip", { minimum: 0, default: 0 }),
};
const pages = { by: "page", param: "offset", start: 0, step: 100, size_param: "count", size: 100 } as const;
const member = answer({
	id: text("MD5 of the address in lower case"),
	email_address: email,
	status: text("Such as subscribed"),
	merge_fields,
});
const total_items = integer("Total number of results");

export const mailchimp: ApiRecipe = {
	id: "mailchimp",
	category: "email",
	title: "Mailchimp",
	description: "Audiences, members and campaigns of a Mailchimp account.",
	auth: "mailchimp_key",
	base_url: "https://{{credential.data_center}}.api.mailchimp.com/3.0",
	docs_url: "https://mailchimp.com/developer/marketing/api/",
	operations: {
		list_audiences: {
			title: "List audiences",
			method: "GET",
			path: "/lists",
			params: params({}, paging),
			query: pass("count", "offset"),
			paginate: { ...pages, items: "lists" },
			output: {
				schema: answer({
					lists: list(object("An audience", { id: text("Its id"), name: text("Its name") }), "The audiences"),
					total_items,
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		list_members: {
			title: "List members of an audience",
			method: "GET",
			path: "/lists/{list_id}/members",
			params: params(
				{ list_id },
				{
					status: choice(STATUSES, "Only members with this status"),
					since_last_changed: text("Only members changed after this time, ISO 8601"),
					fields: text("Fields to return, comma-separated, such as members.email_address,total_items"),
					...paging,
				},
			),
			query: pass("status", "since_last_changed", "fields", "count", "offset"),
			paginate: { ...pages, items: "members" },
			output: { schema: answer({ members: list(member, "The members"), total_items }) },
			examples: [{ title: "Subscribed ones", params: { list_id: LIST, status: "subscribed" } }],
		},
		get_member: {
			title: "Get a member",
			description: "Fails with 404 if there is none.",
			method: "GET",
			path: "/lists/{list_id}/members/{email}",
			params: params({ list_id, email }),
			output: { schema: member },
			examples: [{ title: "One", params: { list_id: LIST, email: "ada@example.com" } }],
		},
		upsert_member: {
			title: "Add or update a member",
			method: "PUT",
			path: "/lists/{list_id}/members/{email}",
			params: params(
				{ list_id, email },
				{
					status_if_new: choice(STATUSES, "Status of a new member; pending asks for a confirmation", {
						default: "subscribed",
					}),
					status: choice(STATUSES, "New status also of an existing member"),
					merge_fields,
					interests: object("true or false by the interest's id"),
					language: text("Such as de"),
				},
			),
			body: {
				kind: "json",
				value: {
					email_address: "{{params.email}}",
					...pass("status_if_new", "status", "merge_fields", "interests", "language"),
				},
			},
			output: { schema: member },
			examples: [
				{ title: "One", params: { list_id: LIST, email: "ada@example.com", merge_fields: { FNAME: "Ada" } } },
			],
		},
		set_tags: {
			title: "Add or remove tags of a member",
			method: "POST",
			path: "/lists/{list_id}/members/{email}/tags",
			params: params({
				list_id,
				email,
				tags: list(
					object("{ name, status }", {
						name: text("The tag"),
						status: choice(["active", "inactive"], "active adds it, inactive removes it"),
					}),
					"The tags",
					{ minItems: 1 },
				),
			}),
			body: { kind: "json", value: pass("tags") },
			response: "text",
			output: done("changed", "Always true"),
			examples: [
				{
					title: "Add one",
					params: { list_id: LIST, email: "ada@example.com", tags: [{ name: "buyer", status: "active" }] },
				},
			],
		},
		archive_member: {
			title: "Archive a member",
			method: "DELETE",
			path: "/lists/{list_id}/members/{email}",
			params: params({ list_id, email }),
			response: "text",
			output: done("archived", "Always true"),
			examples: [{ title: "One", params: { list_id: LIST, email: "ada@example.com" } }],
		},
		list_campaigns: {
			title: "List campaigns",
			method: "GET",
			path: "/campaigns",
			params: params(
				{},
				{
					status: choice(
						["save", "paused", "schedule", "sending", "sent"],
						"Only campaigns with this status",
					),
					list_id,
					...paging,
				},
			),
			query: pass("status", "list_id", "count", "offset"),
			paginate: { ...pages, items: "campaigns" },
			output: {
				schema: answer({
					campaigns: list(
						object("A campaign", {
							id: campaign_id,
							status: text("Such as sent"),
							settings: object("Subject, title and sender"),
						}),
						"The campaigns",
					),
					total_items,
				}),
			},
			examples: [{ title: "Sent ones", params: { status: "sent" } }],
		},
		create_campaign: {
			title: "Create a campaign",
			description: "Then set its text with set_campaign_content and send it with send_campaign.",
			method: "POST",
			path: "/campaigns",
			params: params(
				{
					list_id,
					subject: text("The subject"),
					from_name: text("Sender's name"),
					reply_to: text("Address for replies"),
				},
				{
					title: text("Its name in Mailchimp"),
					preview_text: text("Text after the subject in the inbox"),
					segment_id: integer("Only to this segment or tag"),
				},
			),
			body: {
				kind: "json",
				value: {
					type: "regular",
					recipients: {
						list_id: "{{params.list_id}}",
						segment_opts: { saved_segment_id: "{{params.segment_id}}" },
					},
					settings: {
						subject_line: "{{params.subject}}",
						...pass("preview_text", "title", "from_name", "reply_to"),
					},
				},
			},
			output: {
				schema: answer({ id: campaign_id, status: text("save"), archive_url: text("Its web page") }),
			},
			examples: [
				{
					title: "News",
					params: { list_id: LIST, subject: "News", from_name: "Acme", reply_to: "news@example.com" },
				},
			],
		},
		set_campaign_content: {
			title: "Set the text of a campaign",
			method: "PUT",
			path: "/campaigns/{campaign_id}/content",
			params: params({ campaign_id, html: text("The HTML") }, { plain_text: text("The plain text") }),
			body: { kind: "json", value: pass("html", "plain_text") },
			output: { schema: answer({ html: text("The HTML"), plain_text: text("The plain text") }) },
			examples: [{ title: "News", params: { campaign_id: "42694e9e57", html: "<p>Hello</p>" } }],
		},
		send_campaign: {
			title: "Send a campaign",
			method: "POST",
			path: "/campaigns/{campaign_id}/actions/send",
			params: params({ campaign_id }),
			response: "text",
			output: done("sent", "Always true"),
			examples: [{ title: "News", params: { campaign_id: "42694e9e57" } }],
		},
	},
};
