import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const bot = "/bot123456:test-Telegram_token";

const message = {
	message_id: 42,
	date: 1441645532,
	chat: { id: 1111111, type: "private", first_name: "Test" },
	text: "/start",
};

export const telegram = toExchanges(
	{
		id: "telegram",
		authRecipe: "telegram_bot",
		fields: { token: "123456:test-Telegram_token" },
		base: "https://api.telegram.org",
		headers: {},
	},
	{
		send_message: {
			params: { chat_id: 1111111, text: "<b>Hello</b>", parse_mode: "HTML", disable_notification: true },
			sends: `POST ${bot}/sendMessage`,
			json: { chat_id: 1111111, text: "<b>Hello</b>", parse_mode: "HTML", disable_notification: true },
			answer: { ok: true, result: message },
			output: message,
		},
		edit_message: {
			params: { chat_id: "@channel", message_id: 42, text: "Done" },
			sends: `POST ${bot}/editMessageText`,
			json: { chat_id: "@channel", message_id: 42, text: "Done" },
			answer: { ok: true, result: message },
			output: message,
		},
		send_photo: {
			params: { chat_id: 1111111, photo: "https://example.com/chart.png", caption: "Today" },
			sends: `POST ${bot}/sendPhoto`,
			json: { chat_id: 1111111, photo: "https://example.com/chart.png", caption: "Today" },
			answer: { ok: true, result: message },
			output: message,
		},
		send_document: {
			params: { chat_id: 1111111, document: "https://example.com/report.pdf" },
			sends: `POST ${bot}/sendDocument`,
			json: { chat_id: 1111111, document: "https://example.com/report.pdf" },
			answer: { ok: true, result: message },
			output: message,
		},
		send_photo_file: {
			params: {
				chat_id: 1111111,
				photo: picture,
				caption: "Today",
				disable_notification: true,
				reply_markup: { force_reply: true },
			},
			sends: `POST ${bot}/sendPhoto`,
			parts: [
				{ name: "chat_id", content: "1111111" },
				{ name: "photo", filename: "chart ü.png", type: "image/png", content: PICTURE },
				{ name: "caption", content: "Today" },
				{ name: "disable_notification", content: "true" },
				{ name: "reply_markup", content: '{"force_reply":true}' },
			],
			answer: { ok: true, result: message },
			output: message,
		},
		send_document_file: {
			params: { chat_id: "@channel", document: picture },
			sends: `POST ${bot}/sendDocument`,
			parts: [
				{ name: "chat_id", content: "@channel" },
				{ name: "document", filename: "chart ü.png", type: "image/png", content: PICTURE },
			],
			answer: { ok: true, result: message },
			output: message,
		},
		get_file: {
			params: { file_id: "BQACAgIAAxkBAAIB" },
			sends: `POST ${bot}/getFile`,
			json: { file_id: "BQACAgIAAxkBAAIB" },
			answer: {
				ok: true,
				result: { file_id: "BQACAgIAAxkBAAIB", file_size: 7, file_path: "documents/file_7.pdf" },
			},
			output: { file_id: "BQACAgIAAxkBAAIB", file_size: 7, file_path: "documents/file_7.pdf" },
		},
		download_file: {
			params: { file_path: "documents/file_7.pdf", name: "invoice.pdf" },
			sends: `GET /file${bot}/documents/file_7.pdf`,
			answerHeaders: { "content-type": "application/pdf" },
			answerBytes: PICTURE,
			outputFile: { name: "invoice.pdf", type: "application/pdf" },
		},
		get_updates: {
			params: { offset: 10001, allowed_updates: ["message"] },
			sends: `POST ${bot}/getUpdates`,
			json: { offset: 10001, limit: 100, allowed_updates: ["message"] },
			answer: { ok: true, result: [{ update_id: 10001, message }] },
			output: [{ update_id: 10001, message }],
		},
		set_webhook: {
			params: { url: "https://example.com/webhooks/telegram", drop_pending_updates: true },
			sends: `POST ${bot}/setWebhook`,
			json: { url: "https://example.com/webhooks/telegram", drop_pending_updates: true },
			answer: { ok: true, result: true, description: "Webhook was set" },
		},
	},
);
