import { texts } from "../../texts/texts.ts";

export const SETTINGS = texts({
	en: {
		title: "Settings",
		lead: "Settings of the console in this browser, and what is kept of runs. The service is configured by its environment variables.",
		appearance: "Appearance",
		language: "Language",
		theme: "Theme",
		themes: { system: "Same as system", light: "Light", dark: "Dark" },
		keyboard: "Keyboard",
		singleKeys: "Single-key shortcuts",
		singleKeysHint:
			"Turn these off if you press keys by mistake or use voice input. Shortcuts with Ctrl or Command still work.",
		storedData: "Data in this browser",
		storedDataLead:
			"The console stores data only in this browser. The service stores workflows, entries and execution records.",
		login: "Login",
		issuedTokenStored:
			"The access token, until you log out or it expires. If it expires, unsaved changes stay in their tab until you log in again.",
		typedTokenStored: "The token you entered, until you close this tab.",
		preferences: "Preferences",
		preferencesStored: (count: number) =>
			count === 0
				? "Language, theme and other settings: all defaults."
				: `Language, theme and other settings: ${count} changed.`,
		inputs: "Recent inputs",
		inputsStored: (count: number) =>
			count === 0
				? "Inputs you entered to run workflows: none yet."
				: `Inputs you entered to run ${count === 1 ? "1 workflow" : `${count} workflows`}.`,
		pins: "Pinned outputs",
		pinsStored: (count: number) =>
			count === 0
				? "Outputs you pinned as test data: none yet."
				: `Outputs you pinned as test data of ${count === 1 ? "1 workflow" : `${count} workflows`}.`,
		clear: "Clear all except login",
		clearTitle: "Clear the data in this browser?",
		clearText:
			"Preferences are reset to their defaults, recent inputs and pinned outputs are deleted. You stay logged in.",
		clearAction: "Clear",
		keptRuns: "Data of runs",
		keptRunsLead:
			"What the nodes of a run received and gave. Applies within a minute to later runs of all workflows in this namespace that do not set options.keep.",
		keepDataOf: "Keep the data of",
		keep: {
			memory: {
				label: "Recent runs",
				hint: "Kept in the memory of the service, until it stops or needs the memory; on Workers nothing is kept.",
			},
			failed: {
				label: "Failed runs",
				hint: "Stored encrypted for 7 days, so that failed runs can continue at the failed node; recent runs are kept in memory.",
			},
			all: {
				label: "All runs",
				hint: "Stored encrypted for 7 days, so that every run can be examined, compared and run again.",
			},
			none: {
				label: "No runs",
				hint: "Nothing is kept; to run a workflow again you enter the input.",
			},
		},
		about: "About",
		version: "Version",
		namespace: "Namespace",
		mode: "Mode",
		modes: {
			"self-hosted": "Self-hosted: one owner",
			"multi-tenant": "Multi-tenant: many namespaces",
		},
		loggedIn: "Logged in",
		loginMethods: {
			oauth: "with an access token from the login page",
			static: "with the static token",
			partner: "with a partner key",
			plaintext: "with the name of the namespace",
		},
		mcpUrl: "MCP address",
		api: "API reference",
		apiLink: "Open the API reference",
	},
	"zh-Hant": {
		title: "設定",
		lead: "主控台在這個瀏覽器中的設定，以及執行資料的保留方式。服務以環境變數設定。",
		appearance: "外觀",
		language: "語言",
		theme: "主題",
		themes: { system: "跟隨系統", light: "淺色", dark: "深色" },
		keyboard: "鍵盤",
		singleKeys: "單鍵快速鍵",
		singleKeysHint: "容易誤觸或使用語音輸入時可關閉。搭配 Ctrl 或 Command 的快速鍵不受影響。",
		storedData: "這個瀏覽器中的資料",
		storedDataLead: "主控台只在這個瀏覽器中保存資料。工作流程、條目與執行紀錄由服務儲存。",
		login: "登入",
		issuedTokenStored: "存取權杖，直到登出或過期為止。過期時尚未儲存的內容會留在該分頁，直到下次登入。",
		typedTokenStored: "你輸入的權杖，直到關閉這個分頁為止。",
		preferences: "偏好設定",
		preferencesStored: (count: number) =>
			count === 0 ? "語言、主題等設定：皆為預設值。" : `語言、主題等設定：已變更 ${count} 項。`,
		inputs: "最近的輸入",
		inputsStored: (count: number) =>
			count === 0 ? "執行工作流程時輸入的內容：尚無。" : `執行 ${count} 個工作流程時輸入的內容。`,
		pins: "釘選的輸出",
		pinsStored: (count: number) =>
			count === 0 ? "釘選為測試資料的輸出：尚無。" : `${count} 個工作流程釘選為測試資料的輸出。`,
		clear: "清除登入以外的資料",
		clearTitle: "要清除這個瀏覽器中的資料嗎？",
		clearText: "偏好設定會恢復預設值，最近的輸入與釘選的輸出會刪除。你仍會保持登入。",
		clearAction: "清除",
		keptRuns: "執行資料",
		keptRunsLead:
			"各節點收到與產生的資料。設定會在一分鐘內生效，適用於此命名空間中未自行設定 options.keep 的所有工作流程之後的執行。",
		keepDataOf: "保留哪些執行的資料",
		keep: {
			memory: {
				label: "最近的執行",
				hint: "存放在服務的記憶體中，直到服務停止或需要記憶體為止；在 Workers 上不保留。",
			},
			failed: {
				label: "失敗的執行",
				hint: "加密儲存 7 天，失敗的執行可從失敗的節點繼續；最近的執行存放在記憶體中。",
			},
			all: {
				label: "所有執行",
				hint: "加密儲存 7 天，每次執行都可查看、比較與再次執行。",
			},
			none: {
				label: "不保留",
				hint: "不保留任何資料；再次執行時須自行填寫輸入。",
			},
		},
		about: "關於",
		version: "版本",
		namespace: "命名空間",
		mode: "模式",
		modes: {
			"self-hosted": "自行架設：單一擁有者",
			"multi-tenant": "多租戶：多個命名空間",
		},
		loggedIn: "登入方式",
		loginMethods: {
			oauth: "透過登入頁面取得的存取權杖",
			static: "靜態權杖",
			partner: "合作夥伴金鑰",
			plaintext: "命名空間名稱",
		},
		mcpUrl: "MCP 網址",
		api: "API 說明",
		apiLink: "開啟 API 說明",
	},
});
