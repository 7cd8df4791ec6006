import type { Language } from "../forms/languages.ts";

/** Why a sign-in cannot go on. */
export type SignInProblem =
	| "link"
	| "foreign"
	| "tooMany"
	| "unknown"
	| "browser"
	| "issuer"
	| "refused"
	| "changed"
	| "exchange"
	| "unavailable";

export interface SignInTexts {
	readonly title: (service: string) => string;
	readonly explanation: string;
	readonly service: string;
	readonly credential: string;
	readonly namespace: string;
	readonly warning: string;
	readonly submit: string;
	readonly done: { readonly title: string; readonly text: string };
	readonly account: string;
	readonly code: string;
	readonly problems: Readonly<Record<SignInProblem, { readonly title: string; readonly text: string }>>;
}

export const SIGN_IN_TEXTS: Readonly<Record<Language, SignInTexts>> = {
	en: {
		title: (service) => `Connect: ${service}`,
		explanation:
			"You will sign in at the service. The workflows of this namespace can then use your account:",
		service: "Service",
		credential: "Credential",
		namespace: "Namespace",
		warning: "Continue only if you asked for this link yourself, or trust whoever sent it to you.",
		submit: "Continue",
		done: { title: "Signed in", text: "You can close this window." },
		account: "Account",
		code: "Code",
		problems: {
			link: {
				title: "This link is no longer valid",
				text: "It can be used once, within 10 minutes. Ask for a new one where you got it.",
			},
			foreign: { title: "Not allowed", text: "Open the link itself and continue from there." },
			tooMany: { title: "Too many attempts", text: "Wait a minute and try again." },
			unknown: {
				title: "The sign-in is no longer valid",
				text: "It was completed before, or took longer than 10 minutes. Start again.",
			},
			browser: {
				title: "Another browser",
				text: "This sign-in was not started in this browser. Start again, with cookies allowed.",
			},
			issuer: {
				title: "The answer is not from the service",
				text: "It names another service than the one that was asked. Nothing was stored.",
			},
			refused: { title: "The service refused", text: "Nothing was stored. Start again." },
			changed: {
				title: "The credential was changed",
				text: "It was replaced or deleted during the sign-in. Nothing was stored. Start again.",
			},
			exchange: {
				title: "Signing in failed",
				text: "The service did not issue a token. Check the client's id and secret, and start again.",
			},
			unavailable: { title: "Temporarily unavailable", text: "Nothing was stored. Start again later." },
		},
	},
	"zh-Hant": {
		title: (service) => `連接：${service}`,
		explanation: "接下來會前往該服務登入。之後此命名空間的工作流程即可使用您的帳號：",
		service: "服務",
		credential: "憑證",
		namespace: "命名空間",
		warning: "只有在您自己要求此連結，或信任傳送連結的人時，才繼續。",
		submit: "繼續",
		done: { title: "已登入", text: "您可以關閉此視窗。" },
		account: "帳號",
		code: "代碼",
		problems: {
			link: {
				title: "此連結已失效",
				text: "連結只能使用一次，且須在 10 分鐘內使用。請回到取得連結的地方，重新取得。",
			},
			foreign: { title: "不允許", text: "請直接開啟連結，再從該頁面繼續。" },
			tooMany: { title: "嘗試次數過多", text: "請稍候一分鐘再試。" },
			unknown: {
				title: "此次登入已失效",
				text: "登入先前已完成，或超過 10 分鐘。請重新開始。",
			},
			browser: {
				title: "不同的瀏覽器",
				text: "此次登入不是從這個瀏覽器開始的。請允許 Cookie 並重新開始。",
			},
			issuer: {
				title: "回應並非來自該服務",
				text: "回應中的服務與原本的服務不同。未儲存任何資料。",
			},
			refused: { title: "服務拒絕了登入", text: "未儲存任何資料。請重新開始。" },
			changed: {
				title: "憑證已變更",
				text: "憑證在登入期間被取代或刪除。未儲存任何資料。請重新開始。",
			},
			exchange: {
				title: "登入失敗",
				text: "服務未核發權杖。請檢查用戶端的 ID 與密鑰，然後重新開始。",
			},
			unavailable: { title: "暫時無法使用", text: "未儲存任何資料。請稍後重新開始。" },
		},
	},
};
