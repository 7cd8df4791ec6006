import { texts } from "../texts/texts.ts";

/** Texts of values that can be opened, searched and copied from. */
export const VALUES = texts({
	en: {
		elementCount: (count: number) => (count === 1 ? "1 element" : `${count} elements`),
		keyCount: (count: number) => (count === 1 ? "1 key" : `${count} keys`),
		moreCount: (count: string) => `${count} more`,
		copyPath: "Copy path",
		noPath: "No template can read this value",
		nothingFound: "Nothing found",
		isCut: (kept: string, all: string) => `Too large: the first ${kept} of ${all} are kept.`,
		isLeftOut: (all: string) => `Not kept: its ${all} did not fit into what is kept of a run.`,
	},
	"zh-Hant": {
		elementCount: (count: number) => `${count} 個項目`,
		keyCount: (count: number) => `${count} 個鍵`,
		moreCount: (count: string) => `還有 ${count} 個`,
		copyPath: "複製路徑",
		noPath: "範本無法讀取這個值",
		nothingFound: "找不到符合的內容",
		isCut: (kept: string, all: string) => `內容過大：只保留 ${all} 中的前 ${kept}。`,
		isLeftOut: (all: string) => `未保留：這個值有 ${all}，超出一次執行可保留的大小。`,
	},
});
