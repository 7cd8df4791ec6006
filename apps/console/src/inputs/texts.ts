import { texts } from "../texts/texts.ts";

export const INPUTS = texts({
	en: {
		label: "Input (JSON)",
		hint: "Nodes read this as input. Leave it empty if the workflow needs none.",
		format: "Format",
		recentInputs: (count: number) => `Recent inputs (${count})`,
		storageHint: "Stored in this browser only.",
		clearRecentInputs: "Clear recent inputs",
		expected: {
			value: "expected a value",
			key: "expected a name in double quotes",
			colon: "expected a colon",
			separator: "expected a comma or a closing bracket",
			string: "this string is not closed on its line",
			escape: "this is not a valid JSON escape",
			end: "unexpected text after the end",
			object: 'the input must be an object, such as {"name": "Ada"}',
		},
		problemAt: (line: number, column: number, what: string) => `Line ${line}, column ${column}: ${what}.`,
	},
	"zh-Hant": {
		label: "輸入（JSON）",
		hint: "節點以 input 讀取這些內容，不需要時可留空。",
		format: "排版",
		recentInputs: (count: number) => `最近的輸入（${count}）`,
		storageHint: "只保存在這個瀏覽器。",
		clearRecentInputs: "清除最近的輸入",
		expected: {
			value: "這裡需要一個值",
			key: "這裡需要以雙引號括住的名稱",
			colon: "這裡需要冒號",
			separator: "這裡需要逗號或結尾括號",
			string: "字串在這一行沒有結束",
			escape: "不是有效的 JSON 跳脫字元",
			end: "結尾之後不能再有內容",
			object: '輸入必須是物件，例如 {"name": "Ada"}',
		},
		problemAt: (line: number, column: number, what: string) => `第 ${line} 行第 ${column} 欄：${what}。`,
	},
});
