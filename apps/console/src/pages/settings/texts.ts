import { texts } from "../../texts/texts.ts";

export const SETTINGS = texts({
	en: {
		title: "Settings",
		lead: "How the console looks and works in this browser. The service itself is configured where it is started.",
		look: "Look",
		language: "Language",
		theme: "Theme",
		themes: { system: "Same as system", light: "Light", dark: "Dark" },
		keyboard: "Keyboard",
		singleKeys: "Single-key shortcuts",
		singleKeysHint:
			"Turn them off if keys are pressed by mistake or by voice input. Those with Ctrl or Command stay.",
		kept: "Kept in this browser",
		keptLead:
			"The console keeps nothing anywhere else. The service stores workflows, entries and execution records.",
		login: "Login",
		loginKept:
			"The access token, until you log out or it expires. What is unsaved then stays in its tab until the next login.",
		loginTyped: "The token that you typed, until this tab is closed.",
		preferences: "Preferences",
		preferencesKept: (count: number) =>
			count === 0
				? "Language, theme and the like: all as by default."
				: `Language, theme and the like: ${count} changed.`,
		inputs: "Last inputs",
		inputsKept: (count: number) =>
			count === 0
				? "What you type to run a workflow: none yet."
				: `What you last typed to run ${count === 1 ? "1 workflow" : `${count} workflows`}.`,
		clear: "Clear all but the login",
		clearTitle: "Clear what this browser keeps?",
		clearText: "Your preferences go back to the defaults, and the last inputs are gone. You stay logged in.",
		clearVerb: "Clear",
		about: "About",
		version: "Version",
		namespace: "Namespace",
		mode: "Mode",
		modes: {
			"self-hosted": "Self-hosted: one owner",
			"multi-tenant": "Multi-tenant: many namespaces",
		},
		loggedIn: "Logged in",
		by: {
			oauth: "by the login page, with an access token",
			static: "with the static token",
			partner: "with a partner key",
			plaintext: "by the name of the namespace",
		},
		mcpUrl: "Address for assistants",
		api: "API description",
		apiLink: "Everything the console does, the API can do",
	},
	"zh-Hant": {
		title: "設定",
		lead: "主控台在這個瀏覽器中的外觀與操作方式。服務本身的設定在啟動時指定。",
		look: "外觀",
		language: "語言",
		theme: "主題",
		themes: { system: "跟隨系統", light: "淺色", dark: "深色" },
		keyboard: "鍵盤",
		singleKeys: "單鍵快速鍵",
		singleKeysHint: "容易誤觸或使用語音輸入時可以關閉。搭配 Ctrl 或 Command 的快速鍵不受影響。",
		kept: "保存在這個瀏覽器的資料",
		keptLead: "主控台只把資料保存在這裡。工作流程、條目與執行紀錄由服務儲存。",
		login: "登入",
		loginKept: "存取權杖，直到登出或過期為止。過期時尚未儲存的內容會留在該分頁，直到下次登入。",
		loginTyped: "你輸入的權杖，直到關閉這個分頁為止。",
		preferences: "偏好設定",
		preferencesKept: (count: number) =>
			count === 0 ? "語言、主題等：皆為預設值。" : `語言、主題等：已變更 ${count} 項。`,
		inputs: "最近的輸入",
		inputsKept: (count: number) =>
			count === 0 ? "執行工作流程時輸入的內容：尚無。" : `最近為 ${count} 個工作流程輸入的內容。`,
		clear: "清除登入以外的資料",
		clearTitle: "要清除這個瀏覽器保存的資料嗎？",
		clearText: "偏好設定會恢復預設值，最近的輸入會刪除。你仍會保持登入。",
		clearVerb: "清除",
		about: "關於",
		version: "版本",
		namespace: "命名空間",
		mode: "模式",
		modes: {
			"self-hosted": "自行架設：單一擁有者",
			"multi-tenant": "多租戶：多個命名空間",
		},
		loggedIn: "登入方式",
		by: {
			oauth: "透過登入頁面取得的存取權杖",
			static: "靜態權杖",
			partner: "合作夥伴金鑰",
			plaintext: "命名空間名稱",
		},
		mcpUrl: "給 AI 助理的網址",
		api: "API 說明",
		apiLink: "主控台能做的，API 都能做",
	},
});
