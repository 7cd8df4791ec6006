import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, text } from "../schema-words.ts";
import { emailDetails, emailTemplate, recipients } from "./email-fields.ts";
import { followNextLinks } from "./paging.ts";
import { answer, done, exampleFile, object, params } from "./schema.ts";

const message_id = text("The message's id");
const subject = text("The subject");
const skip = integer("How many to leave out, for the next page", { minimum: 0 });
const limit = integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 50 });
const address = object("An address", {
	emailAddress: object("Address and name", { address: text("E-mail address"), name: text("Name") }),
});
const message = answer({
	id: text("Its id"),
	conversationId: text("Its conversation's id"),
	subject: text("Its subject"),
	from: address,
	toRecipients: list(address, "Its recipients"),
	receivedDateTime: text("When it arrived"),
	isRead: flag("Whether it was read"),
	hasAttachments: flag("Whether it has attachments"),
	bodyPreview: text("Its start"),
});

export const outlookMail: ApiRecipe = {
	id: "outlook_mail",
	category: "email",
	title: "Outlook mail",
	description:
		"Sends, reads and sorts e-mail of a Microsoft account. The permissions are Mail.ReadWrite and Mail.Send.",
	auth: ["microsoft_oauth", "microsoft_token"],
	base_url: "https://graph.microsoft.com/v1.0/me",
	docs_url: "https://learn.microsoft.com/graph/api/resources/mail-api-overview",
	operations: {
		send_email: {
			title: "Send an e-mail",
			description:
				"Set text, html or both. At most about 3 MB with its attachments. A copy is saved in Sent Items.",
			method: "POST",
			path: "/sendMail",
			params: params({ ...recipients, subject }, emailDetails),
			body: { kind: "email", email: emailTemplate, encoding: "base64" },
			response: "text",
			output: done("sent", "Always true"),
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
		create_draft: {
			title: "Create a draft",
			method: "POST",
			path: "/messages",
			params: params({ subject }, { ...recipients, ...emailDetails }),
			body: { kind: "email", email: emailTemplate, encoding: "base64" },
			output: { schema: message },
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
			path: "/messages/{message_id}/send",
			params: params({ message_id: text("The draft's id") }),
			response: "text",
			output: done("sent", "Always true"),
			examples: [{ title: "One", params: { message_id: "AAMkAGI2" } }],
		},
		list_messages: {
			title: "List messages",
			description: "Without their bodies. search cannot be combined with filter, order_by and skip.",
			method: "GET",
			path: "/mailFolders/{folder}/messages",
			params: params(
				{},
				{
					folder: text("inbox, sentitems, drafts, archive, deleteditems, or a folder's id", {
						default: "inbox",
					}),
					filter: text("OData filter, such as isRead eq false and hasAttachments eq true"),
					search: text('Search words in double quotes, such as "from:ada subject:invoice"'),
					order_by: text("Such as receivedDateTime desc"),
					limit,
					skip,
				},
			),
			query: {
				$select:
					"id,conversationId,subject,from,toRecipients,receivedDateTime,isRead,hasAttachments,bodyPreview",
				$filter: "{{params.filter}}",
				$search: "{{params.search}}",
				$orderby: "{{params.order_by}}",
				$top: "{{params.limit}}",
				$skip: "{{params.skip}}",
			},
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(message, "The messages"),
					"@odata.nextLink": text("URL of the next page, if there is one"),
				}),
			},
			examples: [{ title: "Unread", params: { filter: "isRead eq false", limit: 10 } }],
		},
		get_message: {
			title: "Get a message",
			method: "GET",
			path: "/messages/{message_id}",
			params: params(
				{ message_id },
				{ body: choice(["text", "html"], "How its body is returned", { default: "text" }) },
			),
			headers: { prefer: 'outlook.body-content-type="{{params.body}}"' },
			output: {
				schema: answer({
					id: text("Its id"),
					conversationId: text("Its conversation's id"),
					subject: text("Its subject"),
					from: address,
					toRecipients: list(address, "Its recipients"),
					receivedDateTime: text("When it arrived"),
					internetMessageId: text("Its id in every mail system"),
					body: object("Its body", { contentType: text("text or html"), content: text("The body") }),
				}),
			},
			examples: [{ title: "As text", params: { message_id: "AAMkAGI2" } }],
		},
		reply: {
			title: "Reply to a message",
			description: "The original follows below the text. For a reply with files create a draft.",
			method: "POST",
			path: "/messages/{message_id}/{to}",
			params: params(
				{ message_id, text: text("The reply, as text or HTML") },
				{ to: choice(["reply", "replyAll"], "To the sender or to all", { default: "reply" }) },
			),
			body: { kind: "json", value: { comment: "{{params.text}}" } },
			response: "text",
			output: done("sent", "Always true"),
			examples: [{ title: "Thanks", params: { message_id: "AAMkAGI2", text: "Thank you!" } }],
		},
		forward: {
			title: "Forward a message",
			method: "POST",
			path: "/messages/{message_id}/forward",
			params: params(
				{ message_id, to: list(address, "Recipients, each { emailAddress: { address } }") },
				{ text: text("A text above the message") },
			),
			body: { kind: "json", value: { comment: "{{params.text}}", toRecipients: "{{params.to}}" } },
			response: "text",
			output: done("sent", "Always true"),
			examples: [
				{
					title: "To the accountant",
					params: { message_id: "AAMkAGI2", to: [{ emailAddress: { address: "ada@example.com" } }] },
				},
			],
		},
		update_message: {
			title: "Mark a message",
			description: "As read, flagged, or with categories.",
			method: "PATCH",
			path: "/messages/{message_id}",
			params: params(
				{ message_id },
				{
					is_read: flag("Whether it was read"),
					flag: choice(["notFlagged", "flagged", "complete"], "Its flag"),
					categories: list(text("A category"), "All its categories"),
					importance: choice(["low", "normal", "high"], "Its importance"),
				},
			),
			body: {
				kind: "json",
				value: {
					isRead: "{{params.is_read}}",
					flag: { flagStatus: "{{params.flag}}" },
					categories: "{{params.categories}}",
					importance: "{{params.importance}}",
				},
			},
			output: { schema: message },
			examples: [{ title: "As read", params: { message_id: "AAMkAGI2", is_read: true } }],
		},
		move_message: {
			title: "Move a message to another folder",
			description: "It gets another id.",
			method: "POST",
			path: "/messages/{message_id}/move",
			params: params({ message_id, folder: text("archive, deleteditems, inbox, or a folder's id") }),
			body: { kind: "json", value: { destinationId: "{{params.folder}}" } },
			output: { schema: message },
			examples: [{ title: "Archive", params: { message_id: "AAMkAGI2", folder: "archive" } }],
		},
		list_attachments: {
			title: "List the attachments of a message",
			method: "GET",
			path: "/messages/{message_id}/attachments",
			params: params({ message_id }),
			query: { $select: "id,name,contentType,size,isInline" },
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(
						object("An attachment", {
							id: text("Its id"),
							name: text("Its name"),
							contentType: text("Its type"),
							size: integer("Its size in bytes"),
						}),
						"The attachments",
					),
				}),
			},
			examples: [{ title: "One message", params: { message_id: "AAMkAGI2" } }],
		},
		get_attachment: {
			title: "Download an attachment",
			method: "GET",
			path: "/messages/{message_id}/attachments/{attachment_id}/$value",
			params: params({
				message_id,
				attachment_id: text("The attachment's id"),
				name: text("Name of the file: name of list_attachments"),
			}),
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The attachment") },
			examples: [
				{
					title: "An invoice",
					params: { message_id: "AAMkAGI2", attachment_id: "AAMkAD", name: "invoice.pdf" },
				},
			],
		},
		list_folders: {
			title: "List mail folders",
			method: "GET",
			path: "/mailFolders",
			params: params({}, { limit, skip }),
			query: { $top: "{{params.limit}}", $skip: "{{params.skip}}" },
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(
						object("A folder", {
							id: text("Its id"),
							displayName: text("Its name"),
							unreadItemCount: integer("Number of unread messages"),
							totalItemCount: integer("Number of messages"),
						}),
						"The folders",
					),
					"@odata.nextLink": text("URL of the next page, if there is one"),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
