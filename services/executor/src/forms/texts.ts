import type { Language } from "./languages.ts";

/** All texts of the pages that no workflow gives. */
export interface FormTexts {
	readonly submit: string;
	readonly optional: string;
	readonly choose: string;
	readonly noAnswer: string;
	readonly yes: string;
	readonly no: string;
	readonly linesHint: string;
	readonly utcHint: string;
	/** How large the files of the form may be together. */
	readonly fileHint: (size: string, isList: boolean) => string;
	/** After a refusal: a browser does not send files a second time. */
	readonly chooseAgain: string;
	readonly trap: string;
	/** Before the title of a page with errors, and before each message for screen readers. */
	readonly error: string;
	readonly summary: (count: number) => string;
	readonly done: { readonly title: string; readonly text: string };
	/** Between a name and what is said about it. */
	readonly colon: string;
	readonly executionId: string;
	readonly again: string;
	readonly problems: Readonly<Record<Problem, string>>;
	readonly questions: Readonly<Record<QuestionPage, { readonly title: string; readonly text: string }>>;
	readonly pages: Readonly<Record<PageKind, { readonly title: string; readonly text: string }>>;
}

export type Problem =
	| "required"
	| "mustCheck"
	| "number"
	| "whole"
	| "date"
	| "time"
	| "dateTime"
	| "choice"
	| "single"
	| "lineNumber"
	| "file"
	| "singleFile"
	| "other";

/** What a page says about a question that can no longer be answered, or has just been. */
export type QuestionPage = "thanks" | "answered" | "expired" | "withdrawn";

export type PageKind =
	| "received"
	| "failed"
	| "badRequest"
	| "unauthorized"
	| "forbidden"
	| "notFound"
	| "conflict"
	| "tooLarge"
	| "unsupported"
	| "tooMany"
	| "unavailable";

const en: FormTexts = {
	submit: "Submit",
	optional: "(optional)",
	choose: "Choose one",
	noAnswer: "No answer",
	yes: "Yes",
	no: "No",
	linesHint: "One per line",
	utcHint: "Time in UTC",
	fileHint: (size, isList) => (isList ? `One or more files, at most ${size} in total` : `At most ${size}`),
	chooseAgain: "Choose the files again: they have not been kept.",
	trap: "Leave this field empty",
	error: "Error:",
	summary: (count) =>
		count === 1 ? "There is a problem with one field" : "There are problems with some fields",
	done: { title: "Thank you", text: "Your answers have been sent." },
	colon: ": ",
	executionId: "Reference",
	again: "Back to the form",
	problems: {
		required: "Fill in this field.",
		mustCheck: "Check this box to go on.",
		number: "Enter a number.",
		whole: "Enter a whole number.",
		date: "Enter a date.",
		time: "Enter a time.",
		dateTime: "Enter a date and a time.",
		choice: "Choose one of the options.",
		single: "Enter one value only.",
		lineNumber: "Enter one number per line.",
		file: "Choose a file.",
		singleFile: "Choose one file only.",
		other: "This value is not allowed.",
	},
	questions: {
		thanks: { title: "Thank you", text: "Your answer has been recorded." },
		answered: {
			title: "Already answered",
			text: "This question was answered before. Nothing more is needed.",
		},
		expired: { title: "Expired", text: "The time to answer this question is over." },
		withdrawn: { title: "Withdrawn", text: "This question is no longer asked." },
	},
	pages: {
		received: {
			title: "Received",
			text: "Your answers have been received and will be processed later. You do not need to do anything else.",
		},
		failed: { title: "Something went wrong", text: "Your answers could not be processed. Please try again." },
		badRequest: { title: "The form could not be read", text: "Go back and submit it again." },
		unauthorized: { title: "Log in required", text: "This form needs a user name and a password." },
		forbidden: {
			title: "Not allowed",
			text: "The form was sent from another website. Open the form and submit it there.",
		},
		notFound: { title: "Form not found", text: "Check the address of the form." },
		conflict: { title: "Still busy", text: "The form is being processed. Please try again in a moment." },
		tooLarge: {
			title: "Too large",
			text: "Your answers or files are too large. Go back, shorten them or choose smaller files, and submit again.",
		},
		unsupported: { title: "Not supported", text: "The form was sent in a way that is not supported." },
		tooMany: { title: "Too many submissions", text: "Please wait a moment and submit the form again." },
		unavailable: { title: "Not available now", text: "Please try again in a moment." },
	},
};

const zhHant: FormTexts = {
	submit: "送出",
	optional: "（選填）",
	choose: "請選擇",
	noAnswer: "不回答",
	yes: "是",
	no: "否",
	linesHint: "每行一項",
	utcHint: "時間為世界協調時間（UTC）",
	fileHint: (size, isList) => (isList ? `可選擇多個檔案，總計不超過 ${size}` : `不超過 ${size}`),
	chooseAgain: "請重新選擇檔案：先前選擇的檔案並未保留。",
	trap: "請將此欄位留空",
	error: "錯誤：",
	summary: (count) => (count === 1 ? "有一個欄位需要修正" : "有些欄位需要修正"),
	done: { title: "謝謝您", text: "您填寫的內容已送出。" },
	colon: "：",
	executionId: "參考編號",
	again: "回到表單",
	problems: {
		required: "請填寫此欄位。",
		mustCheck: "請勾選此項目才能繼續。",
		number: "請輸入數字。",
		whole: "請輸入整數。",
		date: "請輸入日期。",
		time: "請輸入時間。",
		dateTime: "請輸入日期與時間。",
		choice: "請從選項中選擇。",
		single: "請只輸入一個值。",
		lineNumber: "請每行輸入一個數字。",
		file: "請選擇檔案。",
		singleFile: "請只選擇一個檔案。",
		other: "此值不符合要求。",
	},
	questions: {
		thanks: { title: "謝謝您", text: "您的回答已記錄。" },
		answered: { title: "已有回答", text: "這個問題先前已有人回答，不需要再做任何事。" },
		expired: { title: "已過期", text: "回答這個問題的期限已過。" },
		withdrawn: { title: "已撤回", text: "這個問題已不再需要回答。" },
	},
	pages: {
		received: { title: "已收到", text: "已收到您填寫的內容，稍後會繼續處理。您不需要再做其他事。" },
		failed: { title: "發生錯誤", text: "無法處理您填寫的內容，請再試一次。" },
		badRequest: { title: "無法讀取表單", text: "請返回上一頁，重新送出表單。" },
		unauthorized: { title: "需要登入", text: "此表單需要使用者名稱與密碼。" },
		forbidden: { title: "不允許", text: "此表單是從其他網站送出的。請開啟表單頁面後再送出。" },
		notFound: { title: "找不到表單", text: "請確認表單的網址。" },
		conflict: { title: "仍在處理中", text: "表單正在處理，請稍後再試。" },
		tooLarge: {
			title: "內容過大",
			text: "您填寫的內容或檔案過大，請返回上一頁縮短內容或選擇較小的檔案後再送出。",
		},
		unsupported: { title: "不支援", text: "不支援這種送出表單的方式。" },
		tooMany: { title: "送出次數過多", text: "請稍候片刻，再送出表單。" },
		unavailable: { title: "暫時無法使用", text: "請稍後再試。" },
	},
};

export const TEXTS: Readonly<Record<Language, FormTexts>> = { en, "zh-Hant": zhHant };
