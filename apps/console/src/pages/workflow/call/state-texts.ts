import { texts } from "../../../texts/texts.ts";

/** Texts about the state of a workflow's mailbox and of its polls. */
export const STATE = texts({
	en: {
		connection: "Connection",
		connected: "Connected",
		anotherProcess: "read by another process of the service",
		unconnected: {
			this_process: "Not connected",
			another_process: "Not connected; another process of the service reads it",
			nobody: "Not read: its triggers are switched off, or the service has just started",
		},
		lastMail: "Last mail",
		noMail: "None since it is read",
		polls: "Polls",
		polledSince: "First success",
		notPolled: "None has succeeded yet",
		error: "Last error",
		failures: (count: number) => (count === 1 ? "1 failure" : `${count} failures in a row`),
		retry: "Next attempt",
	},
	"zh-Hant": {
		connection: "連線",
		connected: "已連線",
		anotherProcess: "由服務的另一個程序讀取",
		unconnected: {
			this_process: "未連線",
			another_process: "未連線；由服務的另一個程序讀取",
			nobody: "未讀取：觸發已關閉，或服務剛啟動",
		},
		lastMail: "最近一封郵件",
		noMail: "開始讀取後尚無郵件",
		polls: "輪詢",
		polledSince: "首次成功",
		notPolled: "尚未成功",
		error: "最近的錯誤",
		failures: (count: number) => `連續失敗 ${count} 次`,
		retry: "下次嘗試",
	},
});
