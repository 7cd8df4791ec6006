import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, flag, integer, list, text } from "../schema-words.ts";
import { answer, exampleFile, object, params } from "./schema.ts";

/** Slack responds with 200 to failed calls. */
const error = "Slack: {{data.error}}";
const headers = { "content-type": "application/json; charset=utf-8" };
const channel = text("The channel's id, such as C1234567890");
const ts = text("The message's ts");
const cursor = text("response_metadata.next_cursor of the previous page");
const pages = {
	by: "cursor",
	cursor: "response_metadata.next_cursor",
	optional: true,
	param: "cursor",
} as const;
const metadata = object("For paging", {
	next_cursor: text("Cursor of the next page; empty on the last page"),
});
const blocks = list(object("A block"), "Block Kit blocks; text is then used only in notifications");
const posted = answer({
	ok: flag("Always true"),
	channel: text("The channel's id"),
	ts: text("Identifies the message, for replies and edits"),
});

export const slack: ApiRecipe = {
	id: "slack",
	category: "messaging",
	title: "Slack",
	description: "Messages, files, channels and people of a Slack workspace, as a bot.",
	auth: ["slack_bot", "slack_oauth"],
	base_url: "https://slack.com/api",
	docs_url: "https://docs.slack.dev/reference/methods",
	operations: {
		post_message: {
			title: "Post a message",
			description: "Needs the scope chat:write, and the bot must be in the channel.",
			method: "POST",
			path: "/chat.postMessage",
			params: params(
				{
					channel: text("The channel's id or name; a user's id for a direct message"),
					text: text("The text, in Slack's mrkdwn"),
				},
				{
					blocks,
					thread_ts: text("ts of the message to reply to"),
					reply_broadcast: flag("Also show the reply in the channel"),
					unfurl_links: flag("Whether links are shown with a preview"),
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					channel: "{{params.channel}}",
					text: "{{params.text}}",
					blocks: "{{params.blocks}}",
					thread_ts: "{{params.thread_ts}}",
					reply_broadcast: "{{params.reply_broadcast}}",
					unfurl_links: "{{params.unfurl_links}}",
				},
			},
			error,
			output: { schema: posted },
			examples: [
				{ title: "Say hello", params: { channel: "C1234567890", text: "Hello, *world*" } },
				{
					title: "Reply in a thread",
					params: { channel: "C1234567890", text: "Done", thread_ts: "1503435956.000247" },
				},
			],
		},
		update_message: {
			title: "Edit a message of the bot",
			method: "POST",
			path: "/chat.update",
			params: params({ channel, ts, text: text("The new text") }, { blocks }),
			headers,
			body: {
				kind: "json",
				value: {
					channel: "{{params.channel}}",
					ts: "{{params.ts}}",
					text: "{{params.text}}",
					blocks: "{{params.blocks}}",
				},
			},
			error,
			output: { schema: posted },
			examples: [
				{
					title: "Mark as done",
					params: { channel: "C1234567890", ts: "1503435956.000247", text: "Deployed" },
				},
			],
		},
		get_upload_url: {
			title: "Get an address to upload a file to",
			description:
				"The first of three steps. Then send the file to upload_url with http_request (method POST, parameter file), and share it with complete_upload. Needs the scope files:write.",
			method: "GET",
			path: "/files.getUploadURLExternal",
			params: params(
				{ file: file("The file to upload") },
				{
					name: text("Its name in Slack; default its own"),
					alt_text: text("Description of an image for screen readers", { maxLength: 1000 }),
				},
			),
			query: {
				filename: "{{params.name | default(params.file.name)}}",
				length: "{{params.file.size}}",
				alt_txt: "{{params.alt_text}}",
			},
			error,
			output: {
				schema: answer({
					ok: flag("Always true"),
					upload_url: text("Where to send the file"),
					file_id: text("The file's id, for complete_upload"),
				}),
			},
			examples: [{ title: "A report", params: { file: exampleFile("report.pdf", "application/pdf") } }],
		},
		complete_upload: {
			title: "Share an uploaded file",
			description: "The last step of an upload, after the file was sent to upload_url of get_upload_url.",
			method: "POST",
			path: "/files.completeUploadExternal",
			params: params(
				{ file_id: text("file_id of get_upload_url") },
				{
					title: text("Its title; default its name"),
					channel: text("The channel's id; if left out, only the bot can see the file"),
					text: text("A message with the file"),
					thread_ts: text("ts of the message to reply to"),
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					files: [{ id: "{{params.file_id}}", title: "{{params.title}}" }],
					channel_id: "{{params.channel}}",
					initial_comment: "{{params.text}}",
					thread_ts: "{{params.thread_ts}}",
				},
			},
			error,
			output: {
				schema: answer({
					ok: flag("Always true"),
					files: list(object("A file", { id: text("Its id"), title: text("Its title") }), "The file"),
				}),
			},
			examples: [{ title: "In a channel", params: { file_id: "F1234567890", channel: "C1234567890" } }],
		},
		add_reaction: {
			title: "React to a message with an emoji",
			description: "Needs the scope reactions:write.",
			method: "POST",
			path: "/reactions.add",
			params: params({ channel, ts, name: text("The emoji's name without colons, such as thumbsup") }),
			headers,
			body: {
				kind: "json",
				value: { channel: "{{params.channel}}", timestamp: "{{params.ts}}", name: "{{params.name}}" },
			},
			error,
			output: { schema: answer({ ok: flag("Always true") }) },
			examples: [
				{
					title: "Thumbs up",
					params: { channel: "C1234567890", ts: "1503435956.000247", name: "thumbsup" },
				},
			],
		},
		list_messages: {
			title: "List messages of a channel",
			description: "Newest first. Needs channels:history, or groups:history for a private channel.",
			method: "GET",
			path: "/conversations.history",
			params: params(
				{ channel },
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 999, default: 100 }),
					oldest: text("Only messages after this ts"),
					latest: text("Only messages before this ts"),
					cursor,
				},
			),
			query: {
				channel: "{{params.channel}}",
				limit: "{{params.limit}}",
				oldest: "{{params.oldest}}",
				latest: "{{params.latest}}",
				cursor: "{{params.cursor}}",
			},
			error,
			paginate: { ...pages, items: "messages" },
			output: {
				schema: answer({
					messages: list(
						object("A message", { ts: text("Its ts"), user: text("Author"), text: text("Its text") }),
						"The messages",
					),
					has_more: flag("Whether there are more"),
					response_metadata: metadata,
				}),
			},
			examples: [{ title: "The last ten", params: { channel: "C1234567890", limit: 10 } }],
		},
		list_channels: {
			title: "List channels",
			description: "Needs channels:read, and groups:read for private channels.",
			method: "GET",
			path: "/conversations.list",
			params: params(
				{},
				{
					types: text("public_channel, private_channel, mpim, im comma-separated", {
						default: "public_channel",
					}),
					exclude_archived: flag("Exclude archived channels", { default: true }),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 999, default: 200 }),
					cursor,
				},
			),
			query: {
				types: "{{params.types}}",
				exclude_archived: "{{params.exclude_archived}}",
				limit: "{{params.limit}}",
				cursor: "{{params.cursor}}",
			},
			error,
			paginate: { ...pages, items: "channels" },
			output: {
				schema: answer({
					channels: list(
						object("A channel", {
							id: text("Its id"),
							name: text("Its name"),
							is_member: flag("Whether the bot is in it"),
						}),
						"The channels",
					),
					response_metadata: metadata,
				}),
			},
			examples: [{ title: "Public channels", params: {} }],
		},
		find_user: {
			title: "Find a user by e-mail address",
			description: "Needs the scope users:read.email.",
			method: "GET",
			path: "/users.lookupByEmail",
			params: params({ email: text("The e-mail address of a member of the workspace") }),
			query: { email: "{{params.email}}" },
			error,
			output: {
				schema: answer({
					user: object("The user", {
						id: text("Use it as channel for a direct message"),
						name: text("Short name"),
						real_name: text("Full name"),
					}),
				}),
			},
			examples: [{ title: "Look up a user", params: { email: "spengler@ghostbusters.example.com" } }],
		},
	},
};
