import { texts } from "../../../texts/texts.ts";

/** Texts of the tab that shows how to call a workflow. */
export const CALL = texts({
	en: {
		notSaved: "Save the workflow to get its URL.",
		webhook: "Webhook",
		webhookText: "A call to this URL runs the workflow.",
		url: "Webhook URL",
		idempotency: "Idempotent calls",
		idempotencyText:
			"Set Idempotency-Key to a unique value of 1 to 255 visible characters. For 24 hours, another call with the same key and body gets the first response and does not run the workflow again. It gets 409 while the first call is running, and 422 if the body differs. If the first call failed, the key can be used again.",
		signature: "Signature",
		signatureText: (scheme: string) =>
			`Calls must be signed (${scheme}, over the exact bytes sent). Calls that are unsigned, signed with another secret, or too old get 401 and do not run.`,
		scheme: "Scheme",
		credential: "Credential",
		signedText: "Signed text",
		headers: "Headers",
		secretHint: "First set SECRET to the secret of the credential: export SECRET='…'",
		whsecHint: "If the secret starts with whsec_, the rest is base64. Decode it before signing.",
		linearHint: "The body must have the field webhookTimestamp, the time in Unix milliseconds.",
		tokenHint: "The header is the secret itself and does not protect the body.",
		discordHint:
			"Only Discord can sign these calls. The credential contains your application's public key, which verifies them.",
		noTimestamp:
			"This signature has no timestamp, so a captured call can be replayed. Send an Idempotency-Key as well.",
		schedule: "Schedule",
		scheduleText: "The workflow also runs on a schedule, with scheduled_at as its input.",
		timeZone: "Time zone",
		nextRun: "Next run",
		event: "Event",
		eventText: "The workflow runs for every event whose type matches this pattern.",
		mail: "Mail",
		mailText: "Every mail that arrives in this mailbox and matches the trigger starts a run.",
		query: "Public query",
		queryText:
			"Anyone can send a GET request and gets only the data. The query parameters are the input; all values are text.",
		tool: "Assistants",
		toolText: "Available to assistants as a separate tool (options.expose).",
		notToolText:
			"Assistants can run the workflow by name. Set options.expose to true to make it a separate tool.",
		async: "Asynchronous calls",
		asyncText:
			"Send the header Prefer: respond-async to get 202 immediately while the run continues in the background.",
	},
	"zh-Hant": {
		notSaved: "儲存工作流程後即可取得網址。",
		webhook: "Webhook",
		webhookText: "呼叫此網址即可執行工作流程。",
		url: "Webhook 網址",
		idempotency: "冪等呼叫",
		idempotencyText:
			"將 Idempotency-Key 設為唯一的值，1 到 255 個可見字元。24 小時內以相同的金鑰與內容再次呼叫，會得到第一次的回應而不會再執行；第一次仍在執行時回應 409，內容不同時回應 422。若第一次失敗，金鑰可以再次使用。",
		signature: "簽章",
		signatureText: (scheme: string) =>
			`呼叫必須簽章（${scheme}，對實際傳送的位元組）。沒有簽章、以其他密鑰簽章或時間過久的呼叫會得到 401，不會執行。`,
		scheme: "方式",
		credential: "憑證",
		signedText: "簽章內容",
		headers: "標頭",
		secretHint: "請先將 SECRET 設為憑證的密鑰：export SECRET='…'",
		whsecHint: "以 whsec_ 開頭的密鑰，其餘部分是 base64，簽章前請先解碼。",
		linearHint: "內容必須有 webhookTimestamp 欄位，值為 Unix 毫秒時間。",
		tokenHint: "標頭就是密鑰本身，不會保護內容。",
		discordHint: "只有 Discord 能簽署這些呼叫。憑證存放的是應用程式的公開金鑰，用來驗證呼叫。",
		noTimestamp: "這種簽章沒有時間戳記，遭截取的呼叫可能被重送。請一併傳送 Idempotency-Key。",
		schedule: "排程",
		scheduleText: "此工作流程也會依排程執行，輸入為 scheduled_at。",
		timeZone: "時區",
		nextRun: "下次執行",
		event: "事件",
		eventText: "發生類型符合此模式的事件時就會執行。",
		mail: "郵件",
		mailText: "信箱收到符合觸發條件的郵件時就會執行。",
		query: "公開查詢",
		queryText: "任何人都能以 GET 呼叫，只會得到資料。查詢參數為輸入，值都是文字。",
		tool: "AI 助理",
		toolText: "AI 助理可作為獨立的工具使用（options.expose）。",
		notToolText: "AI 助理可依名稱執行此工作流程。將 options.expose 設為 true，即可成為獨立的工具。",
		async: "非同步呼叫",
		asyncText: "加上標頭 Prefer: respond-async，會立即回應 202，並在背景繼續執行。",
	},
});
