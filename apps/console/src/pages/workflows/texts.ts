import { texts } from "../../texts/texts.ts";

export const WORKFLOWS = texts({
	en: {
		title: "Workflows",
		lead: "What runs here, what starts it, and how it went the last time.",
		create: "New workflow",
		filter: "Filter workflows",
		filterHint: "Name, description or trigger",
		sort: "Sort by",
		sorts: { name: "Name", last: "Last run", next: "Next run", changed: "Last change" },
		columns: { name: "Workflow", trigger: "Trigger", next: "Next run", last: "Last run" },
		count: (shown: string, all: string) =>
			shown === all ? `${all} workflows` : `${shown} of ${all} workflows`,
		one: "1 workflow",
		byHand: "called by name",
		webhook: "webhook",
		event: (pattern: string) => `event ${pattern}`,
		inZone: (words: string, zone: string) => `${words} ${zone}`,
		exposed: "Assistant tool",
		exposedHint: "Assistants see it as a tool of its own",
		neverRan: "has not run yet",
		noNext: "no schedule",
		nothingFits: (filter: string) => `No workflow fits “${filter}”`,
		clear: "Show all",
		emptyTitle: "No workflows yet",
		empty:
			"A workflow is a short text: what follows what, and what each step does. Begin with one of these, run it, and change it as you like.",
		starts: {
			greeting: {
				title: "A greeting",
				text: "One node that answers with a text. The smallest workflow there is.",
			},
			schedule: {
				title: "Every morning",
				text: "A schedule that calls an HTTP address, tries again, and knows what to do when it fails.",
			},
			loop: { title: "For each order", text: "A loop over a list, and a total of what it found." },
		},
		useIt: "Begin with this",
	},
	"zh-Hant": {
		title: "工作流程",
		lead: "這裡執行什麼、由什麼觸發，以及上次執行的結果。",
		create: "新增工作流程",
		filter: "篩選工作流程",
		filterHint: "名稱、說明或觸發方式",
		sort: "排序",
		sorts: { name: "名稱", last: "上次執行", next: "下次執行", changed: "最近變更" },
		columns: { name: "工作流程", trigger: "觸發", next: "下次執行", last: "上次執行" },
		count: (shown: string, all: string) =>
			shown === all ? `${all} 個工作流程` : `${all} 個工作流程中的 ${shown} 個`,
		one: "1 個工作流程",
		byHand: "以名稱呼叫",
		webhook: "Webhook",
		event: (pattern: string) => `事件 ${pattern}`,
		inZone: (words: string, zone: string) => `${words}（${zone}）`,
		exposed: "助理工具",
		exposedHint: "AI 助理會把它當成一個獨立的工具",
		neverRan: "尚未執行",
		noNext: "沒有排程",
		nothingFits: (filter: string) => `沒有符合「${filter}」的工作流程`,
		clear: "顯示全部",
		emptyTitle: "還沒有工作流程",
		empty:
			"工作流程是一段簡短的文字：什麼接著什麼，以及每一步做什麼。從下面挑一個開始，執行看看，再改成你要的樣子。",
		starts: {
			greeting: { title: "打招呼", text: "一個回覆文字的節點，最小的工作流程。" },
			schedule: { title: "每天早上", text: "依排程呼叫一個 HTTP 位址，會重試，也知道失敗時該怎麼做。" },
			loop: { title: "處理每一筆訂單", text: "對清單逐項處理的迴圈，最後加總。" },
		},
		useIt: "從這個開始",
	},
});
