import { texts } from "../texts/texts.ts";

export const SHELL = texts({
	en: {
		places: {
			overview: "Overview",
			workflows: "Workflows",
			executions: "Runs",
			files: "Files",
			knowledge: "Knowledge",
			graph: "Graph",
			components: "Components",
			credentials: "Credentials",
			connect: "Assistants",
			settings: "Settings",
		},
		navigation: "Main navigation",
		menu: "Menu",
		skipToContent: "Skip to content",
		logOut: "Log out",
		namespace: (name: string) => `Namespace ${name}`,
		search: "Search",
	},
	"zh-Hant": {
		places: {
			overview: "總覽",
			workflows: "工作流程",
			executions: "執行紀錄",
			files: "檔案",
			knowledge: "知識",
			graph: "知識圖譜",
			components: "元件",
			credentials: "憑證",
			connect: "AI 助理",
			settings: "設定",
		},
		navigation: "主要導覽",
		menu: "選單",
		skipToContent: "跳到主要內容",
		logOut: "登出",
		namespace: (name: string) => `命名空間 ${name}`,
		search: "搜尋",
	},
});
