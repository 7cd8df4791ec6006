import { texts } from "../texts/texts.ts";

export const INPUTS = texts({
	en: {
		label: "Input (JSON)",
		hint: "What the nodes read as input. Leave it empty for none.",
		format: "Format",
		last: (count: number) => `Last typed here (${count})`,
		kept: "Only this browser keeps them; the service stores no inputs.",
		forget: "Forget these",
		expected: {
			value: "a value is expected here",
			key: "a name in double quotes is expected here",
			colon: "a colon is expected here",
			separator: "a comma or a closing bracket is expected here",
			string: "the text in quotes does not end on this line",
			escape: "this backslash begins nothing that JSON knows",
			end: "nothing may follow here",
			object: 'the input must be an object, such as {"name": "Ada"}',
		},
		at: (line: number, column: number, what: string) => `Line ${line}, column ${column}: ${what}.`,
	},
	"zh-Hant": {
		label: "輸入（JSON）",
		hint: "節點以 input 讀取的內容，不需要時可留空。",
		format: "排版",
		last: (count: number) => `最近在此輸入（${count}）`,
		kept: "只保存在這個瀏覽器，服務不會儲存輸入內容。",
		forget: "清除這些輸入",
		expected: {
			value: "這裡需要一個值",
			key: "這裡需要以雙引號括住的名稱",
			colon: "這裡需要冒號",
			separator: "這裡需要逗號或結尾括號",
			string: "引號內的文字在這一行沒有結束",
			escape: "這個反斜線不是 JSON 的跳脫字元",
			end: "這裡之後不能再有內容",
			object: '輸入必須是物件，例如 {"name": "Ada"}',
		},
		at: (line: number, column: number, what: string) => `第 ${line} 行第 ${column} 個字元：${what}。`,
	},
});
