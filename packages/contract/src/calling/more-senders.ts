import type { Sender } from "./sender.ts";

export const MORE_SENDERS: readonly Sender[] = [
	{
		id: "gitlab",
		title: "GitLab",
		accept: ["json"],
		steps: {
			en: [
				"Open the project's Settings > Webhooks > Add new webhook.",
				"URL: the webhook URL. Choose the events.",
				"Secret token: the secret of the credential.",
			],
			"zh-Hant": [
				"開啟專案的 Settings > Webhooks > Add new webhook。",
				"URL 填入 Webhook 網址，並選擇事件。",
				"Secret token 填入憑證的密鑰。",
			],
		},
	},
	{
		id: "linear",
		title: "Linear",
		accept: ["json"],
		steps: {
			en: [
				"Open Settings > API > Webhooks > New webhook.",
				"URL: the webhook URL. Choose the events.",
				"Copy the signing secret into the credential.",
			],
			"zh-Hant": [
				"開啟 Settings > API > Webhooks > New webhook。",
				"URL 填入 Webhook 網址，並選擇事件。",
				"將 signing secret 存入憑證。",
			],
		},
	},
	{
		id: "typeform",
		title: "Typeform",
		accept: ["json"],
		steps: {
			en: [
				"Open the form's Connect > Webhooks > Add a webhook.",
				"Endpoint: the webhook URL.",
				"Edit the webhook. Secret: the secret of the credential.",
			],
			"zh-Hant": [
				"開啟表單的 Connect > Webhooks > Add a webhook。",
				"Endpoint 填入 Webhook 網址。",
				"編輯該 Webhook，Secret 填入憑證的密鑰。",
			],
		},
	},
	{
		id: "twilio",
		title: "Twilio",
		accept: ["form"],
		steps: {
			en: [
				"Open the phone number's configuration.",
				"A message comes in: Webhook, the webhook URL, HTTP POST.",
				"Copy the account's Auth Token into the credential.",
			],
			"zh-Hant": [
				"開啟電話號碼的設定。",
				"A message comes in 選 Webhook，填入 Webhook 網址與 HTTP POST。",
				"將帳號的 Auth Token 存入憑證。",
			],
		},
	},
	{
		id: "square",
		title: "Square",
		accept: ["json"],
		steps: {
			en: [
				"Open the application in the Developer Console: Webhooks > Subscriptions > Add subscription.",
				"URL: the webhook URL. Choose the events.",
				"Copy the Signature Key into the credential.",
			],
			"zh-Hant": [
				"在 Developer Console 開啟應用程式：Webhooks > Subscriptions > Add subscription。",
				"URL 填入 Webhook 網址，並選擇事件。",
				"將 Signature Key 存入憑證。",
			],
		},
	},
	{
		id: "zoom",
		title: "Zoom",
		accept: ["json"],
		handshake: "zoom",
		steps: {
			en: [
				"Open the app at marketplace.zoom.us and copy its Secret Token into the credential.",
				"Add an event subscription. Event notification endpoint URL: the webhook URL.",
				"Validate the URL.",
			],
			"zh-Hant": [
				"在 marketplace.zoom.us 開啟應用程式，將 Secret Token 存入憑證。",
				"新增事件訂閱，Event notification endpoint URL 填入 Webhook 網址。",
				"按下 Validate 驗證網址。",
			],
		},
	},
	{
		id: "meta",
		title: "Meta",
		accept: ["json"],
		handshake: "{ scheme: meta, credential: verify-token }",
		steps: {
			en: [
				"Open the app at developers.facebook.com and copy its App Secret into the credential.",
				"Webhooks > Callback URL: the webhook URL.",
				"Verify token: the secret of the credential verify-token.",
			],
			"zh-Hant": [
				"在 developers.facebook.com 開啟應用程式，將 App Secret 存入憑證。",
				"Webhooks > Callback URL 填入 Webhook 網址。",
				"Verify token 填入憑證 verify-token 的密鑰。",
			],
		},
	},
	{
		id: "discord",
		title: "Discord",
		accept: ["json"],
		handshake: "discord",
		steps: {
			en: [
				"Open the application at discord.com/developers.",
				"Copy General Information > Public Key into the credential.",
				"Interactions Endpoint URL: the webhook URL. Discord checks it when you save.",
			],
			"zh-Hant": [
				"在 discord.com/developers 開啟應用程式。",
				"將 General Information > Public Key 存入憑證。",
				"Interactions Endpoint URL 填入 Webhook 網址，儲存時 Discord 會驗證。",
			],
		},
	},
	{
		id: "telegram",
		title: "Telegram",
		accept: ["json"],
		steps: {
			en: [
				"Call the Bot API's method setWebhook with url: the webhook URL.",
				"secret_token: the secret of the credential, of A-Z, a-z, 0-9, _ and -.",
			],
			"zh-Hant": [
				"呼叫 Bot API 的 setWebhook 方法，url 為 Webhook 網址。",
				"secret_token 為憑證的密鑰，只能使用 A-Z、a-z、0-9、_ 與 -。",
			],
		},
	},
];
