import type { Language } from "../../texts/texts.ts";

const SHORT: Readonly<Record<string, string>> = {
	"@hourly": "0 * * * *",
	"@daily": "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@weekly": "0 0 * * 0",
	"@monthly": "0 0 1 * *",
	"@yearly": "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
};
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The phrases of one language. They are in this file so that tests can read them without a browser. */
interface Words {
	readonly everyMinute: string;
	everyMinutes(count: number): string;
	everyHour(minute: number): string;
	everyHours(count: number, minute: number): string;
	everyDay(times: string): string;
	workingDays(times: string): string;
	onDays(days: string, times: string): string;
	monthly(day: number, times: string): string;
	lastOfMonth(times: string): string;
	nthOfMonth(nth: number, day: string, times: string): string;
	yearly(date: string, times: string): string;
}

const toOrdinal = (count: number): string => ["first", "second", "third", "fourth", "fifth"][count - 1] ?? "";
const padTwoDigits = (value: number): string => String(value).padStart(2, "0");

const WORDS: Readonly<Record<Language, Words>> = {
	en: {
		everyMinute: "every minute",
		everyMinutes: (count) => `every ${count} minutes`,
		everyHour: (minute) => (minute === 0 ? "every hour" : `every hour at minute ${minute}`),
		everyHours: (count, minute) =>
			minute === 0 ? `every ${count} hours` : `every ${count} hours at minute ${minute}`,
		everyDay: (times) => `every day at ${times}`,
		workingDays: (times) => `Monday to Friday at ${times}`,
		onDays: (days, times) => `every ${days} at ${times}`,
		monthly: (day, times) => `every month on day ${day} at ${times}`,
		lastOfMonth: (times) => `every month on the last day at ${times}`,
		nthOfMonth: (nth, day, times) => `the ${toOrdinal(nth)} ${day} of every month at ${times}`,
		yearly: (date, times) => `every year on ${date} at ${times}`,
	},
	"zh-Hant": {
		everyMinute: "每分鐘",
		everyMinutes: (count) => `每 ${count} 分鐘`,
		everyHour: (minute) => (minute === 0 ? "每小時" : `每小時的第 ${minute} 分`),
		everyHours: (count, minute) => (minute === 0 ? `每 ${count} 小時` : `每 ${count} 小時的第 ${minute} 分`),
		everyDay: (times) => `每天 ${times}`,
		workingDays: (times) => `週一至週五 ${times}`,
		onDays: (days, times) => `每${days} ${times}`,
		monthly: (day, times) => `每月 ${day} 日 ${times}`,
		lastOfMonth: (times) => `每月最後一天 ${times}`,
		nthOfMonth: (nth, day, times) => `每月第 ${nth} 個${day} ${times}`,
		yearly: (date, times) => `每年${date} ${times}`,
	},
};

/** Cache: lists call this while scrolling, and many workflows share a schedule. */
const descriptionCache = new Map<string, string | null>();

/** Describes common cron expressions in words; null for others, which are shown as they are. */
export function describeSchedule(expression: string, language: Language): string | null {
	const key = `${language} ${expression}`;
	const known = descriptionCache.get(key);
	if (known !== undefined) return known;
	const words = describeCron(expression, language);
	descriptionCache.set(key, words);
	return words;
}

function describeCron(expression: string, language: Language): string | null {
	const fields = (SHORT[expression.trim().toLowerCase()] ?? expression).trim().toLowerCase().split(/\s+/);
	const [minute, hour, day, month, weekday] = fields;
	if (fields.length !== 5 || !minute || !hour || !day || !month || !weekday) return null;
	const words = WORDS[language];
	const isAnyDay = day === "*" && month === "*" && weekday === "*";
	if (hour === "*" || hour.startsWith("*/")) return isAnyDay ? describeWithinDay(minute, hour, words) : null;
	const times = formatTimes(minute, hour, language);
	if (times === null) return null;
	if (isAnyDay) return words.everyDay(times);
	if (month === "*" && day === "*") return describeWeekdays(weekday, times, words, language);
	if (weekday !== "*") return null;
	if (month === "*") return describeMonthDay(day, times, words);
	const [dayNumber, monthNumber] = [parseNumber(day, 1, 31), parseMonth(month)];
	if (dayNumber === null || monthNumber === null) return null;
	const date = new Date(Date.UTC(2024, monthNumber - 1, dayNumber));
	return words.yearly(formatDate(date, language, { month: "long", day: "numeric" }), times);
}

function describeWithinDay(minute: string, hour: string, words: Words): string | null {
	const step = hour === "*" ? 1 : parseNumber(hour.slice(2), 1, 23);
	if (minute === "*" || minute === "*/1") return step === 1 ? words.everyMinute : null;
	if (minute.startsWith("*/")) {
		const minutes = parseNumber(minute.slice(2), 1, 59);
		return step === 1 && minutes !== null ? words.everyMinutes(minutes) : null;
	}
	const at = parseNumber(minute, 0, 59);
	if (at === null || step === null) return null;
	return step === 1 ? words.everyHour(at) : words.everyHours(step, at);
}

function describeWeekdays(field: string, times: string, words: Words, language: Language): string | null {
	if (["1-5", "mon-fri"].includes(field)) return words.workingDays(times);
	const nth = /^(\w+)#([1-5])$/.exec(field);
	if (nth !== null) {
		const day = parseWeekday(nth[1] ?? "");
		return day === null ? null : words.nthOfMonth(Number(nth[2]), formatDayName(day, language), times);
	}
	const days = field.split(",").map(parseWeekday);
	if (days.some((day) => day === null)) return null;
	return words.onDays(
		joinList(
			days.map((day) => formatDayName(day ?? 0, language)),
			language,
		),
		times,
	);
}

function describeMonthDay(field: string, times: string, words: Words): string | null {
	if (field === "l") return words.lastOfMonth(times);
	const day = parseNumber(field, 1, 31);
	return day === null ? null : words.monthly(day, times);
}

/** Formats times such as "07:00" or "09:30 and 17:30". */
function formatTimes(minute: string, hour: string, language: Language): string | null {
	const at = parseNumber(minute, 0, 59);
	const hours = hour.split(",").map((each) => parseNumber(each, 0, 23));
	if (at === null || hours.some((each) => each === null) || hours.length > 4) return null;
	return joinList(
		hours.map((each) => `${padTwoDigits(each ?? 0)}:${padTwoDigits(at)}`),
		language,
	);
}

const joinList = (parts: readonly string[], language: Language): string =>
	language === "en" ? new Intl.ListFormat(language, { type: "conjunction" }).format(parts) : parts.join("、");

/** 2 January 2000 was a Sunday. */
const formatDayName = (day: number, language: Language): string =>
	formatDate(new Date(Date.UTC(2000, 0, 2 + day)), language, {
		weekday: language === "en" ? "long" : "short",
	});

const formatDate = (date: Date, language: Language, options: Intl.DateTimeFormatOptions): string =>
	new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { ...options, timeZone: "UTC" }).format(
		date,
	);

function parseWeekday(text: string): number | null {
	const byName = DAYS.indexOf(text);
	if (byName >= 0) return byName;
	const day = parseNumber(text, 0, 7);
	return day === null ? null : day % 7;
}

function parseMonth(text: string): number | null {
	const byName = MONTHS.indexOf(text);
	return byName >= 0 ? byName + 1 : parseNumber(text, 1, 12);
}

function parseNumber(text: string, min: number, max: number): number | null {
	if (!/^\d{1,2}$/.test(text)) return null;
	const value = Number(text);
	return value >= min && value <= max ? value : null;
}
