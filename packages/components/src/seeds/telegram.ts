import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, text } from "../schema-words.ts";
import { answer, anyOf, exampleFile, object, params } from "./schema.ts";

const chat_id = anyOf([{ type: "integer" }, { type: "string" }], "The chat's id, or @name of a channel");
const parse_mode = choice(["HTML", "MarkdownV2", "Markdown"], "Markup of the text; plain if left out");
const reply_markup = object("Buttons: inline_keyboard, keyboard, remove_keyboard or force_reply");
const disable_notification = flag("Send without a notification sound");
const caption = text("Text below it", { maxLength: 1024 });
const url = (what: string) => text(`https:// URL of ${what}, or its Telegram file_id`);

/** Of a message with a file. */
const messageParts = [
	{ name: "caption", text: "{{params.caption}}" },
	{ name: "parse_mode", text: "{{params.parse_mode}}" },
	{ name: "disable_notification", text: "{{params.disable_notification}}" },
	{ name: "reply_markup", text: "{{params.reply_markup | json}}" },
];
const value = "{{data.result}}";
const message = answer({
	message_id: integer("The message's id in its chat"),
	date: integer("Time it was sent, in seconds since 1970"),
	chat: object("The chat", { id: integer("Its id"), type: text("private, group, supergroup or channel") }),
	text: text("Its text"),
});

export const telegram: ApiRecipe = {
	id: "telegram",
	category: "messaging",
	title: "Telegram",
	description: "Sends and reads messages as a Telegram bot.",
	auth: "telegram_bot",
	base_url: "https://api.telegram.org",
	docs_url: "https://core.telegram.org/bots/api",
	operations: {
		send_message: {
			title: "Send a message",
			method: "POST",
			path: "/sendMessage",
			params: params(
				{ chat_id, text: text("The text", { maxLength: 4096 }) },
				{
					parse_mode,
					disable_notification,
					reply_markup,
					message_thread_id: integer("Topic of a forum group"),
				},
			),
			body: {
				kind: "json",
				value: {
					chat_id: "{{params.chat_id}}",
					text: "{{params.text}}",
					parse_mode: "{{params.parse_mode}}",
					disable_notification: "{{params.disable_notification}}",
					reply_markup: "{{params.reply_markup}}",
					message_thread_id: "{{params.message_thread_id}}",
				},
			},
			output: { value, schema: message },
			examples: [
				{
					title: "Say hello",
					params: { chat_id: 123456789, text: "<b>Hello</b>", parse_mode: "HTML" },
				},
			],
		},
		edit_message: {
			title: "Edit the text of a message",
			method: "POST",
			path: "/editMessageText",
			params: params(
				{ chat_id, message_id: integer("The message's id"), text: text("The new text", { maxLength: 4096 }) },
				{ parse_mode, reply_markup },
			),
			body: {
				kind: "json",
				value: {
					chat_id: "{{params.chat_id}}",
					message_id: "{{params.message_id}}",
					text: "{{params.text}}",
					parse_mode: "{{params.parse_mode}}",
					reply_markup: "{{params.reply_markup}}",
				},
			},
			output: { value, schema: message },
			examples: [{ title: "Done", params: { chat_id: 123456789, message_id: 42, text: "Done" } }],
		},
		send_photo: {
			title: "Send a photo by its address",
			method: "POST",
			path: "/sendPhoto",
			params: params(
				{ chat_id, photo: url("the photo") },
				{ caption, parse_mode, disable_notification, reply_markup },
			),
			body: {
				kind: "json",
				value: {
					chat_id: "{{params.chat_id}}",
					photo: "{{params.photo}}",
					caption: "{{params.caption}}",
					parse_mode: "{{params.parse_mode}}",
					disable_notification: "{{params.disable_notification}}",
					reply_markup: "{{params.reply_markup}}",
				},
			},
			output: { value, schema: message },
			examples: [
				{
					title: "A chart",
					params: { chat_id: "@my_channel", photo: "https://example.com/chart.png", caption: "Today" },
				},
			],
		},
		send_photo_file: {
			title: "Send a photo from a file",
			description: "At most 10 MB.",
			method: "POST",
			path: "/sendPhoto",
			params: params(
				{ chat_id, photo: file("The photo") },
				{ caption, parse_mode, disable_notification, reply_markup },
			),
			body: {
				kind: "multipart",
				parts: [
					{ name: "chat_id", text: "{{params.chat_id}}" },
					{ name: "photo", file: "{{params.photo}}" },
					...messageParts,
				],
			},
			output: { value, schema: message },
			examples: [
				{
					title: "A chart",
					params: { chat_id: "@my_channel", photo: exampleFile("chart.png", "image/png"), caption: "Today" },
				},
			],
		},
		send_document_file: {
			title: "Send a file",
			description: "Of any type, at most 50 MB.",
			method: "POST",
			path: "/sendDocument",
			params: params(
				{ chat_id, document: file("The file") },
				{ caption, parse_mode, disable_notification, reply_markup },
			),
			body: {
				kind: "multipart",
				parts: [
					{ name: "chat_id", text: "{{params.chat_id}}" },
					{ name: "document", file: "{{params.document}}" },
					...messageParts,
				],
			},
			output: { value, schema: message },
			examples: [
				{
					title: "A report",
					params: { chat_id: 123456789, document: exampleFile("report.pdf", "application/pdf") },
				},
			],
		},
		get_file: {
			title: "Prepare a file for download",
			description: "Then get it with download_file within an hour. Bots can download at most 20 MB.",
			method: "POST",
			path: "/getFile",
			params: params({ file_id: text("file_id of a message's document, photo, voice, video or audio") }),
			body: { kind: "json", value: { file_id: "{{params.file_id}}" } },
			output: {
				value,
				schema: answer({
					file_id: text("Its file_id"),
					file_size: integer("Its size in bytes"),
					file_path: text("For download_file"),
				}),
			},
			examples: [{ title: "A document", params: { file_id: "BQACAgIAAxkBAAIB" } }],
		},
		download_file: {
			title: "Download a file",
			method: "GET",
			path: "/file/{+file_path}",
			params: params(
				{ file_path: text("file_path of get_file, such as documents/file_7.pdf") },
				{ name: text("Name of the file; default the end of its path") },
			),
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The file") },
			examples: [{ title: "A document", params: { file_path: "documents/file_7.pdf", name: "invoice.pdf" } }],
		},
		send_document: {
			title: "Send a file by its address",
			description: "By URL, Telegram accepts PDF, ZIP and GIF files up to 20 MB.",
			method: "POST",
			path: "/sendDocument",
			params: params(
				{ chat_id, document: url("the file") },
				{ caption, parse_mode, disable_notification, reply_markup },
			),
			body: {
				kind: "json",
				value: {
					chat_id: "{{params.chat_id}}",
					document: "{{params.document}}",
					caption: "{{params.caption}}",
					parse_mode: "{{params.parse_mode}}",
					disable_notification: "{{params.disable_notification}}",
					reply_markup: "{{params.reply_markup}}",
				},
			},
			output: { value, schema: message },
			examples: [
				{ title: "A report", params: { chat_id: 123456789, document: "https://example.com/report.pdf" } },
			],
		},
		get_updates: {
			title: "Get updates sent to the bot",
			description:
				"Does not work while a webhook is set. Pass the highest update_id plus 1 as offset in the next call.",
			method: "POST",
			path: "/getUpdates",
			params: params(
				{},
				{
					offset: integer("The first update_id to return; earlier updates are discarded"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
					allowed_updates: list(text("Such as message or callback_query"), "Types of updates"),
				},
			),
			body: {
				kind: "json",
				value: {
					offset: "{{params.offset}}",
					limit: "{{params.limit}}",
					allowed_updates: "{{params.allowed_updates}}",
				},
			},
			output: {
				value,
				schema: list(
					answer({ update_id: integer("Increases by one"), message: object("A new message") }),
					"The updates, oldest first",
				),
			},
			examples: [{ title: "Messages only", params: { allowed_updates: ["message"] } }],
		},
		set_webhook: {
			title: "Set a webhook for updates",
			method: "POST",
			path: "/setWebhook",
			params: params(
				{ url: text("https:// URL, such as a workflow's webhook; empty to remove it") },
				{
					allowed_updates: list(text("Such as message or callback_query"), "Types of updates"),
					drop_pending_updates: flag("Discard pending updates"),
				},
			),
			body: {
				kind: "json",
				value: {
					url: "{{params.url}}",
					allowed_updates: "{{params.allowed_updates}}",
					drop_pending_updates: "{{params.drop_pending_updates}}",
				},
			},
			output: {
				schema: answer({ ok: flag("Always true"), description: text("Description of the result") }),
			},
			examples: [{ title: "Start", params: { url: "https://example.com/webhooks/telegram" } }],
		},
	},
};
