import type { Issue } from "@tripline/contract/failures";
import type { Language } from "./languages.ts";
import { type FormField, type FormModel, listFields } from "./model.ts";
import { type Problem, TEXTS } from "./texts.ts";

/** A message for the reader of a page. Without a field it is about the form as a whole. */
export interface FieldProblem {
	readonly field: FormField | null;
	readonly message: string;
}

/** The problems of a submitted form in the order of its fields, one for each. */
export function listProblems(
	model: FormModel,
	read: ReadonlyMap<string, Problem>,
	issues: readonly Issue[],
	language: Language,
): FieldProblem[] {
	const fields = listFields(model);
	const messages = new Map<string, string>();
	const others = new Set<string>();
	for (const [name, problem] of read) messages.set(name, TEXTS[language].problems[problem]);
	for (const { path, message } of issues) {
		const field = findField(fields, path);
		const text = translateIssue(message, language);
		if (field === undefined) others.add(path === "" ? text : `${path}${TEXTS[language].colon}${text}`);
		else if (!messages.has(field.name)) messages.set(field.name, text);
	}
	return [
		...fields.flatMap((field) => {
			const message = messages.get(field.name);
			return message === undefined ? [] : [{ field, message }];
		}),
		...[...others].map((message) => ({ field: null, message })),
	];
}

/** The path may lead into the field, to an element of a list. */
const findField = (fields: readonly FormField[], path: string): FormField | undefined =>
	fields.find(({ name }) => name === path) ??
	fields.find(({ name, kind }) => MAY_BE_LISTS.has(kind) && path.startsWith(`${name}.`));

const MAY_BE_LISTS: ReadonlySet<FormField["kind"]> = new Set(["lines", "several", "file"]);

type Translation = readonly [RegExp, (...found: string[]) => string];

/** The messages of schema checks that a form can cause. */
const ZH_HANT: readonly Translation[] = [
	[/^is required$/, () => "請填寫此欄位。"],
	[/^must be at least (\S+) characters long$/, (bound) => `至少需要 ${bound} 個字元。`],
	[/^must be at most (\S+) characters long$/, (bound) => `最多 ${bound} 個字元。`],
	[/^must be at least (\S+) elements long$/, (bound) => `至少需要 ${bound} 項。`],
	[/^must be at most (\S+) elements long$/, (bound) => `最多 ${bound} 項。`],
	[/^must be at least (\S+)$/, (bound) => `不能小於 ${bound}。`],
	[/^must be at most (\S+)$/, (bound) => `不能大於 ${bound}。`],
	[/^must be more than (\S+)$/, (bound) => `必須大於 ${bound}。`],
	[/^must be less than (\S+)$/, (bound) => `必須小於 ${bound}。`],
	[/^must be a multiple of (\S+)$/, (bound) => `必須是 ${bound} 的倍數。`],
	[/^must be a whole number$/, () => "請輸入整數。"],
	[/^must be a number\b/, () => "請輸入數字。"],
	[/^must be an e-mail address$/, () => "請輸入電子郵件地址，例如 name@example.com。"],
	[/^must be a URL$/, () => "請輸入網址，例如 https://example.com。"],
	[/^must be a UUID$/, () => "請輸入 UUID。"],
	[/^must be a date such as/, () => "請輸入有效的日期。"],
	[/^must be a time such as/, () => "請輸入有效的日期與時間。"],
	[/^must be a duration such as (\S+)$/, (example) => `請輸入時間長度，例如 ${example}。`],
	[/^must be a host name$/, () => "請輸入主機名稱。"],
	[/^must be an IPv([46]) address$/, (version) => `請輸入 IPv${version} 位址。`],
	[/^must not contain duplicate elements$/, () => "不能有重複的項目。"],
	[/^must be a file of the type (.+)$/, (types) => `請選擇此類型的檔案：${types.replaceAll(" or ", "、")}。`],
	[/^must be a file$/, () => "請選擇檔案。"],
	[/^is not a file of the type (\S+)$/, (type) => `檔案內容不是 ${type}。`],
];

/** Issues that need other words or an example; all others are a sentence already. */
const EN: readonly Translation[] = [
	[/^is required$/, () => TEXTS.en.problems.required],
	[/^must be at least (\S+) elements long$/, (bound) => `Give at least ${bound}.`],
	[/^must be at most (\S+) elements long$/, (bound) => `Give at most ${bound}.`],
	[/^must be an e-mail address$/, () => "Must be an e-mail address such as name@example.com."],
	[/^must be a URL$/, () => "Must be a URL such as https://example.com."],
	[/^must be a time such as/, () => "Must be a valid date and time."],
	[/^must be a date such as/, () => "Must be a valid date."],
	[/^must be a file of the type (.+)$/, (types) => `Choose a file of the type ${types}.`],
	[/^must be a file$/, () => TEXTS.en.problems.file],
	[/^is not a file of the type (\S+)$/, (type) => `The content of the file is not ${type}.`],
];

const MAX_MESSAGE_LENGTH = 300;

function translateIssue(message: string, language: Language): string {
	for (const [pattern, translate] of language === "en" ? EN : ZH_HANT) {
		const found = pattern.exec(message);
		if (found !== null) return translate(...found.slice(1));
	}
	if (language !== "en") return TEXTS[language].problems.other;
	const text = message.slice(0, MAX_MESSAGE_LENGTH);
	return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
