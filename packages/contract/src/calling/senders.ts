import { MORE_SENDERS } from "./more-senders.ts";
import type { Sender } from "./sender.ts";

export const SENDERS: readonly Sender[] = [
	{
		id: "github",
		title: "GitHub",
		accept: ["json"],
		steps: {
			en: [
				"Open the repository's Settings > Webhooks > Add webhook.",
				"Payload URL: the webhook URL. Content type: application/json.",
				"Secret: the secret of the credential.",
			],
			"zh-Hant": [
				"開啟儲存庫的 Settings > Webhooks > Add webhook。",
				"Payload URL 填入 Webhook 網址，Content type 選 application/json。",
				"Secret 填入憑證的密鑰。",
			],
		},
	},
	{
		id: "slack",
		title: "Slack",
		accept: ["json", "form"],
		handshake: "slack",
		steps: {
			en: [
				"Open your app at api.slack.com/apps.",
				"Copy Basic Information > Signing Secret into the credential.",
				"Events: Event Subscriptions > Request URL: the webhook URL. Slack checks it at once.",
				"Commands and buttons: Slash Commands or Interactivity > Request URL. They arrive as a form.",
			],
			"zh-Hant": [
				"在 api.slack.com/apps 開啟您的應用程式。",
				"將 Basic Information > Signing Secret 存入憑證。",
				"事件：Event Subscriptions > Request URL 填入 Webhook 網址，Slack 會立即驗證。",
				"指令與按鈕：Slash Commands 或 Interactivity > Request URL，會以表單送達。",
			],
		},
	},
	{
		id: "stripe",
		title: "Stripe",
		accept: ["json"],
		steps: {
			en: [
				"Open Developers > Webhooks > Add destination.",
				"Choose the events. Endpoint URL: the webhook URL.",
				"Copy the endpoint's Signing secret, the whole whsec_…, into the credential.",
			],
			"zh-Hant": [
				"開啟 Developers > Webhooks > Add destination。",
				"選擇事件，Endpoint URL 填入 Webhook 網址。",
				"將端點的 Signing secret（完整的 whsec_…）存入憑證。",
			],
		},
	},
	{
		id: "shopify",
		title: "Shopify",
		accept: ["json"],
		steps: {
			en: [
				"Open Settings > Notifications > Webhooks > Create webhook.",
				"Choose the event. Format: JSON. URL: the webhook URL.",
				"Copy the secret shown below the list of webhooks into the credential.",
			],
			"zh-Hant": [
				"開啟 Settings > Notifications > Webhooks > Create webhook。",
				"選擇事件，Format 選 JSON，URL 填入 Webhook 網址。",
				"將 Webhook 清單下方顯示的密鑰存入憑證。",
			],
		},
	},
	...MORE_SENDERS,
];

export const findSender = (scheme: string | null): Sender | null =>
	SENDERS.find(({ id }) => id === scheme) ?? null;

/** The lines to write in the document. */
export const buildSenderYaml = (
	{ id, accept, handshake }: Pick<Sender, "id" | "accept" | "handshake">,
	credential = "sender",
): string =>
	[
		"trigger:",
		"  type: webhook",
		`  accept: [${accept.join(", ")}]`,
		`  signature: { scheme: ${id}, credential: ${credential} }`,
		...(handshake === undefined ? [] : [`  handshake: ${handshake}`]),
	].join("\n");
