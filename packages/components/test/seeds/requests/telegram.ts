import { toExchanges } from "../exchange.ts";

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
		base: "https://api.telegram.org/bot123456:test-Telegram_token",
		headers: {},
	},
	{
		send_message: {
			params: { chat_id: 1111111, text: "<b>Hello</b>", parse_mode: "HTML", disable_notification: true },
			sends: "POST /sendMessage",
			json: { chat_id: 1111111, text: "<b>Hello</b>", parse_mode: "HTML", disable_notification: true },
			answer: { ok: true, result: message },
			output: message,
		},
		edit_message: {
			params: { chat_id: "@channel", message_id: 42, text: "Done" },
			sends: "POST /editMessageText",
			json: { chat_id: "@channel", message_id: 42, text: "Done" },
			answer: { ok: true, result: message },
			output: message,
		},
		send_photo: {
			params: { chat_id: 1111111, photo: "https://example.com/chart.png", caption: "Today" },
			sends: "POST /sendPhoto",
			json: { chat_id: 1111111, photo: "https://example.com/chart.png", caption: "Today" },
			answer: { ok: true, result: message },
			output: message,
		},
		send_document: {
			params: { chat_id: 1111111, document: "https://example.com/report.pdf" },
			sends: "POST /sendDocument",
			json: { chat_id: 1111111, document: "https://example.com/report.pdf" },
			answer: { ok: true, result: message },
			output: message,
		},
		get_updates: {
			params: { offset: 10001, allowed_updates: ["message"] },
			sends: "POST /getUpdates",
			json: { offset: 10001, limit: 100, allowed_updates: ["message"] },
			answer: { ok: true, result: [{ update_id: 10001, message }] },
			output: [{ update_id: 10001, message }],
		},
		set_webhook: {
			params: { url: "https://example.com/webhooks/telegram", drop_pending_updates: true },
			sends: "POST /setWebhook",
			json: { url: "https://example.com/webhooks/telegram", drop_pending_updates: true },
			answer: { ok: true, result: true, description: "Webhook was set" },
		},
	},
);
