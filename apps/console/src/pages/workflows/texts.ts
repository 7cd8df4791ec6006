import { texts } from "../../texts/texts.ts";

export const WORKFLOWS = texts({
	en: {
		title: "Workflows",
		lead: "What runs here, what starts it, and how the last run went.",
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
		nothingFits: (filter: string) => `No workflow matches “${filter}”`,
		clear: "Show all",
		emptyTitle: "No workflows yet",
		empty:
			"A workflow is a short text: what follows what, and what each node does. Start with one of these, run it, and change it as you like.",
		starts: {
			greeting: {
				title: "A greeting",
				text: "One node that answers with a text: the smallest workflow there is.",
			},
			schedule: {
				title: "Every morning",
				text: "Calls an HTTP address on a schedule, tries again, and handles failure.",
			},
			loop: { title: "For each order", text: "A loop over a list, and a total at the end." },
		},
		useIt: "Start with this",
	},
	"zh-Hant": {
		title: "工作流程",
		lead: "有哪些工作流程、如何觸發、上次結果如何。",
		create: "新增工作流程",
		filter: "篩選工作流程",
		filterHint: "名稱、說明或觸發方式",
		sort: "排序",
		sorts: { name: "名稱", last: "上次執行", next: "下次執行", changed: "最近變更" },
		columns: { name: "工作流程", trigger: "觸發方式", next: "下次執行", last: "上次執行" },
		count: (shown: string, all: string) =>
			shown === all ? `${all} 個工作流程` : `${all} 個工作流程，${shown} 個符合`,
		one: "1 個工作流程",
		byHand: "以名稱呼叫",
		webhook: "Webhook",
		event: (pattern: string) => `事件 ${pattern}`,
		inZone: (words: string, zone: string) => `${words}（${zone}）`,
		exposed: "助理工具",
		exposedHint: "AI 助理會把它當成獨立的工具",
		neverRan: "尚未執行",
		noNext: "沒有排程",
		nothingFits: (filter: string) => `沒有符合「${filter}」的工作流程`,
		clear: "顯示全部",
		emptyTitle: "還沒有工作流程",
		empty:
			"工作流程是一段簡短的文字：節點的先後順序，以及各節點做什麼。從下面挑一個開始，執行看看，再改成你要的樣子。",
		starts: {
			greeting: { title: "打招呼", text: "一個回覆文字的節點，最小的工作流程。" },
			schedule: { title: "每天早上", text: "依排程呼叫 HTTP 網址，失敗時會重試，仍失敗則另行處理。" },
			loop: { title: "處理每一筆訂單", text: "以迴圈逐項處理清單，最後加總。" },
		},
		useIt: "從這個開始",
	},
});
