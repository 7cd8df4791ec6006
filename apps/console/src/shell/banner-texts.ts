import { texts } from "../texts/texts.ts";

export const BANNER = texts({
	en: {
		label: "Needs attention",
		disk: (free: string) =>
			`The disk is nearly full: ${free} are free. Delete what is not needed, or enlarge the disk.`,
		database: "The database is damaged or unreliable. Stop the service and run tripline doctor.",
		records:
			"The daily limit of execution records is nearly or fully used, so runs are missing in the list. Raise EXECUTION_LOG_DAILY_WRITE_LIMIT.",
		restart: (version: string) => `Version ${version} is installed. Restart the service to use it.`,
		trigger: "A mailbox or poll fails:",
		address: (address: string) =>
			`The service is set up for ${address}, but was opened at another address. Logins and links may fail: open that address, or correct BASE_URL.`,
		more: (count: number) => `${count} more: run tripline status to see them`,
	},
	"zh-Hant": {
		label: "需要處理",
		disk: (free: string) => `磁碟空間即將用盡,僅剩 ${free}。請刪除不需要的資料,或擴充磁碟。`,
		database: "資料庫已損壞或不可靠。請停止服務並執行 tripline doctor。",
		records: "執行紀錄已達或接近每日上限,清單中會缺少部分執行。請提高 EXECUTION_LOG_DAILY_WRITE_LIMIT。",
		restart: (version: string) => `已安裝 ${version} 版。請重新啟動服務以使用新版。`,
		trigger: "信箱或輪詢失敗:",
		address: (address: string) =>
			`服務設定的位址是 ${address},但您從其他位址開啟。登入與連結可能失效:請改用該位址,或更正 BASE_URL。`,
		more: (count: number) => `還有 ${count} 則:請執行 tripline status 查看`,
	},
});
