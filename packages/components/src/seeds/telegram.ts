import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, anyOf, object, params } from "./schema.ts";

const chat_id = anyOf([{ type: "integer" }, { type: "string" }], "The chat's id, or @name of a channel");
const parse_mode = choice(["HTML", "MarkdownV2", "Markdown"], "How the text is marked up; plain if left out");
const reply_markup = object("Buttons: inline_keyboard, keyboard, remove_keyboard or force_reply");
const disable_notification = flag("Sends it without a sound");
const caption = text("Text below it", { maxLength: 1024 });
const url = (what: string) => text(`https:// address of ${what}, or its file_id at Telegram`);

const value = "{{data.result}}";
const message = answer({
	message_id: integer("The message's id in its chat"),
	date: integer("When it was sent, in seconds since 1970"),
	chat: object("The chat", { id: integer("Its id"), type: text("private, group, supergroup or channel") }),
	text: text("Its text"),
});

export const telegram: ApiRecipe = {
	id: "telegram",
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
			title: "Change the text of a message",
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
			title: "Send a picture",
			method: "POST",
			path: "/sendPhoto",
			params: params(
				{ chat_id, photo: url("the picture") },
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
		send_document: {
			title: "Send a file",
			description: "From an address, Telegram takes PDF, ZIP and GIF up to 20 MB.",
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
			title: "Get what was sent to the bot",
			description:
				"Does not work while a webhook is set. Give the highest update_id plus 1 as offset next time.",
			method: "POST",
			path: "/getUpdates",
			params: params(
				{},
				{
					offset: integer("The first update_id that is wanted; those before are forgotten"),
					limit: integer("How many at most", { minimum: 1, maximum: 100, default: 100 }),
					allowed_updates: list(text("Such as message or callback_query"), "Which kinds"),
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
					answer({ update_id: integer("Rises by one"), message: object("A new message") }),
					"The updates, oldest first",
				),
			},
			examples: [{ title: "Messages only", params: { allowed_updates: ["message"] } }],
		},
		set_webhook: {
			title: "Have updates sent to an address",
			method: "POST",
			path: "/setWebhook",
			params: params(
				{ url: text("https:// address, such as that of a workflow's webhook; empty to stop") },
				{
					allowed_updates: list(text("Such as message or callback_query"), "Which kinds"),
					drop_pending_updates: flag("Forgets what was not yet delivered"),
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
				schema: answer({ ok: flag("Always true"), description: text("What was done") }),
			},
			examples: [{ title: "Start", params: { url: "https://example.com/webhooks/telegram" } }],
		},
	},
};
