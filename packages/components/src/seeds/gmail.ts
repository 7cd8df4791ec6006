import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, flag, integer, list, text } from "../schema-words.ts";
import { emailDetails, emailTemplate, recipients } from "./email-fields.ts";
import { readTokens } from "./paging.ts";
import { answer, exampleFile, object, params } from "./schema.ts";

const message_id = text("The message's id");
const subject = text("The subject");
const from = text("The sender, if the account may send as several; default its own address");
const message = answer({
	id: text("The message's id"),
	threadId: text("Its conversation's id"),
	labelIds: list(text("A label's id"), "Its labels"),
});
const header = (name: string) => `{{data.payload.headers | named("${name}") | default("")}}`;
/** In a message of one part, of alternatives, and of alternatives with attachments. */
const firstBody =
	'{{data.payload.parts[0].parts[0].parts[0].body.data | default(data.payload.parts[0].parts[0].body.data) | default(data.payload.parts[0].body.data) | default(data.payload.body.data) | default("") | from_base64}}';

export const gmail: ApiRecipe = {
	id: "gmail",
	category: "email",
	title: "Gmail",
	description:
		"Sends, searches and sorts e-mail of a Google account. The scope is https://www.googleapis.com/auth/gmail.modify, or gmail.send to send only. A service account needs domain-wide delegation and a subject.",
	auth: ["google_oauth", "google_service_account"],
	base_url: "https://gmail.googleapis.com",
	docs_url: "https://developers.google.com/workspace/gmail/api/reference/rest",
	operations: {
		send_email: {
			title: "Send an e-mail",
			description: "Set text, html or both. At most 35 MB with its attachments.",
			method: "POST",
			path: "/upload/gmail/v1/users/me/messages/send",
			params: params({ ...recipients, subject }, { ...emailDetails, from }),
			query: { uploadType: "media" },
			body: { kind: "email", email: { from: "{{params.from}}", ...emailTemplate } },
			output: { schema: message },
			examples: [
				{
					title: "With an attachment",
					params: {
						to: "ada@example.com",
						subject: "Your report",
						text: "It is attached.",
						attachments: [exampleFile("report.pdf", "application/pdf")],
					},
				},
			],
		},
		reply: {
			title: "Reply in a conversation",
			description:
				"Gmail adds it to the conversation if the subject is the same and in_reply_to names a message of it.",
			method: "POST",
			path: "/upload/gmail/v1/users/me/messages/send",
			params: params(
				{
					thread_id: text("The conversation's id: thread_id of get_message"),
					...recipients,
					subject: text("The subject of the conversation, with or without Re:"),
					in_reply_to: text("message_id of get_message, such as <abc@mail.example.com>"),
				},
				{
					references: text("references of get_message, followed by its message_id; default in_reply_to"),
					...emailDetails,
					from,
				},
			),
			query: { uploadType: "multipart" },
			headers: { "content-type": "multipart/related" },
			body: {
				kind: "multipart",
				parts: [
					{
						name: "metadata",
						json: { threadId: "{{params.thread_id}}" },
						content_type: "application/json; charset=UTF-8",
					},
					{
						name: "message",
						email: {
							from: "{{params.from}}",
							...emailTemplate,
							in_reply_to: "{{params.in_reply_to}}",
							references: "{{params.references | default(params.in_reply_to)}}",
						},
					},
				],
			},
			output: { schema: message },
			examples: [
				{
					title: "Thanks",
					params: {
						thread_id: "18c1",
						to: "ada@example.com",
						subject: "Re: Order 7",
						in_reply_to: "<abc@mail.example.com>",
						text: "Thank you!",
					},
				},
			],
		},
		create_draft: {
			title: "Create a draft",
			method: "POST",
			path: "/upload/gmail/v1/users/me/drafts",
			params: params({ subject }, { ...recipients, ...emailDetails, from }),
			query: { uploadType: "media" },
			body: { kind: "email", email: { from: "{{params.from}}", ...emailTemplate } },
			output: { schema: answer({ id: text("The draft's id"), message }) },
			examples: [
				{
					title: "To check before it is sent",
					params: { to: "ada@example.com", subject: "Offer", text: "…" },
				},
			],
		},
		send_draft: {
			title: "Send a draft",
			method: "POST",
			path: "/gmail/v1/users/me/drafts/send",
			params: params({ draft_id: text("The draft's id") }),
			body: { kind: "json", value: { id: "{{params.draft_id}}" } },
			output: { schema: message },
			examples: [{ title: "One", params: { draft_id: "r-123" } }],
		},
		search_messages: {
			title: "Search messages",
			description: "Newest first. Returns ids; get_message returns a message.",
			method: "GET",
			path: "/gmail/v1/users/me/messages",
			params: params(
				{},
				{
					query: text("As in Gmail's search box, such as from:ada@example.com is:unread newer_than:7d"),
					labels: list(text("A label's id, such as INBOX"), "Only messages with all of these labels"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 500, default: 100 }),
					page_token: text("nextPageToken of the previous page"),
					include_trash: flag("Include spam and trash", { default: false }),
				},
			),
			query: {
				q: "{{params.query}}",
				labelIds: "{{params.labels}}",
				maxResults: "{{params.limit}}",
				pageToken: "{{params.page_token}}",
				includeSpamTrash: "{{params.include_trash}}",
			},
			paginate: readTokens("messages"),
			output: {
				schema: answer({
					messages: list(message, "The messages; missing if there are none"),
					nextPageToken: text("page_token for the next page"),
					resultSizeEstimate: integer("About how many there are"),
				}),
			},
			examples: [{ title: "Unread invoices", params: { query: "subject:invoice is:unread has:attachment" } }],
		},
		get_message: {
			title: "Get a message",
			description: "With its first text. The parts name its attachments, for get_attachment.",
			method: "GET",
			path: "/gmail/v1/users/me/messages/{message_id}",
			params: params({ message_id }),
			query: { format: "full" },
			output: {
				value: {
					id: "{{data.id}}",
					thread_id: "{{data.threadId}}",
					labels: "{{data.labelIds}}",
					subject: header("Subject"),
					from: header("From"),
					to: header("To"),
					cc: header("Cc"),
					date: header("Date"),
					message_id: header("Message-ID"),
					references: header("References"),
					snippet: "{{data.snippet}}",
					text: firstBody,
					parts: "{{data.payload.parts}}",
				},
				schema: answer({
					id: text("Its id"),
					thread_id: text("Its conversation's id"),
					labels: list(text("A label's id"), "Its labels"),
					subject: text("Its subject"),
					from: text("Its sender"),
					to: text("Its recipients"),
					cc: text("Its CC recipients"),
					date: text("When it was sent, as it says"),
					message_id: text("Its id in every mail system, for in_reply_to of reply"),
					references: text("Ids of the messages before it"),
					snippet: text("Its start"),
					text: text("Its first text: plain text if it has any, else HTML"),
					parts: list(
						object("A part", {
							partId: text("Its id"),
							filename: text("The attachment's name"),
							mimeType: text("Its type"),
							body: object("Its content", {
								attachmentId: text("For get_attachment"),
								size: integer("Its size in bytes"),
							}),
						}),
						"Its parts, if there are several",
					),
				}),
			},
			examples: [{ title: "One message", params: { message_id: "18c1a2" } }],
		},
		get_attachment: {
			title: "Download an attachment",
			description: "At most about 12 MB.",
			method: "GET",
			path: "/gmail/v1/users/me/messages/{message_id}/attachments/{attachment_id}",
			params: params({
				message_id,
				attachment_id: text("body.attachmentId of a part of get_message"),
				name: text("Name of the file: filename of that part"),
			}),
			response: "file",
			content: "{{data.data}}",
			filename: "{{params.name}}",
			output: { schema: file("The attachment") },
			examples: [
				{
					title: "An invoice",
					params: { message_id: "18c1a2", attachment_id: "ANGjdJ8", name: "invoice.pdf" },
				},
			],
		},
		change_labels: {
			title: "Add and remove labels",
			description: "Removing UNREAD marks the message as read, removing INBOX archives it.",
			method: "POST",
			path: "/gmail/v1/users/me/messages/{message_id}/modify",
			params: params(
				{ message_id },
				{
					add: list(text("A label's id, such as STARRED"), "Labels to add"),
					remove: list(text("A label's id, such as UNREAD"), "Labels to remove"),
				},
			),
			body: { kind: "json", value: { addLabelIds: "{{params.add}}", removeLabelIds: "{{params.remove}}" } },
			output: { schema: message },
			examples: [{ title: "Archive as read", params: { message_id: "18c1a2", remove: ["UNREAD", "INBOX"] } }],
		},
		list_labels: {
			title: "List labels",
			method: "GET",
			path: "/gmail/v1/users/me/labels",
			params: params({}),
			output: {
				schema: answer({
					labels: list(
						object("A label", {
							id: text("Its id, such as INBOX or Label_7"),
							name: text("Its name"),
							type: text("system or user"),
						}),
						"The labels",
					),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		trash_message: {
			title: "Move a message to the trash",
			method: "POST",
			path: "/gmail/v1/users/me/messages/{message_id}/trash",
			params: params({ message_id }),
			output: { schema: message },
			examples: [{ title: "One", params: { message_id: "18c1a2" } }],
		},
	},
};
