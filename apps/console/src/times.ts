import type { Texts } from "./texts/texts.ts";

// Formatted here instead of by Intl: creating the first formatter blocks Chromium for about 35 ms.

/** Formats times in the user's time zone. */
export interface Times {
	/** Date and time. */
	formatTime(at: string | number, options?: { readonly withSeconds?: boolean }): string;
	/** The time of day only. */
	formatClockTime(at: string | number): string;
	formatHour(at: number): string;
	formatWeekday(at: number): string;
	/** "Sun, Nov 15, 5:00 PM – 8:00 PM". */
	formatSpan(from: number, until: number, options: { readonly withDay: boolean }): string;
	/** "3 minutes ago", "in 2 hours"; beyond a month the date. */
	formatAgo(at: string | number, now?: number): string;
	/** "Nov 5, 9:00 AM": date and time of something within the next weeks. */
	formatSoon(at: string | number): string;
	/** "in 2 days", to the nearest whole; a named day such as tomorrow would contradict the date beside it. */
	formatAhead(at: string | number, now?: number): string;
}

const DAY_MS = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

type Unit = "day" | "hour" | "minute" | "second";

interface Words {
	readonly weekdays: readonly string[];
	/** Names of relative days, such as yesterday. */
	readonly days: Readonly<Record<number, string>>;
	readonly now: string;
	day(month: number, day: number): string;
	date(year: number, day: string): string;
	/** Suffix of an hour without minutes. */
	readonly hourMark: string;
	/** Formats an hour and the text that follows it. */
	time(hour: number, rest: string): string;
	dateAndTime(date: string, time: string): string;
	ago(count: number, unit: Unit): string;
	ahead(count: number, unit: Unit): string;
}

const pluralize = (count: number, unit: Unit): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
const TWELVE_ZH: Readonly<Record<number, string>> = { 0: "凌晨", 12: "中午" };
const UNITS_ZH = { day: "天", hour: "小時", minute: "分鐘", second: "秒" } as const;

export const TIMES: Texts<Times> = {
	en: createTimes({
		weekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
		days: { [-1]: "yesterday", 1: "tomorrow" },
		now: "now",
		hourMark: "",
		day: (month, day) => `${MONTHS[month]} ${day}`,
		date: (year, day) => `${day}, ${year}`,
		time: (hour, rest) => `${hour % 12 || 12}${rest} ${hour < 12 ? "AM" : "PM"}`,
		dateAndTime: (date, time) => `${date}, ${time}`,
		ago: (count, unit) => `${pluralize(count, unit)} ago`,
		ahead: (count, unit) => `in ${pluralize(count, unit)}`,
	}),
	"zh-Hant": createTimes({
		weekdays: ["週日", "週一", "週二", "週三", "週四", "週五", "週六"],
		days: { [-2]: "前天", [-1]: "昨天", 1: "明天", 2: "後天" },
		now: "現在",
		hourMark: "時",
		day: (month, day) => `${month + 1}月${day}日`,
		date: (year, day) => `${year}年${day}`,
		// 上午12 and 下午12 are ambiguous.
		time: (hour, rest) =>
			`${hour % 12 === 0 ? TWELVE_ZH[hour] : hour < 12 ? "上午" : "下午"}${hour % 12 || 12}${rest}`,
		dateAndTime: (date, time) => `${date} ${time}`,
		ago: (count, unit) => `${count} ${UNITS_ZH[unit]}前`,
		ahead: (count, unit) => `${count} ${UNITS_ZH[unit]}後`,
	}),
};

const UNITS = [
	["day", DAY_MS],
	["hour", 3_600_000],
	["minute", 60_000],
	["second", 1000],
] as const;

function createTimes(words: Words): Times {
	return {
		formatTime,
		formatClockTime,
		formatHour,
		formatWeekday,
		formatSpan,
		formatAgo,
		formatSoon,
		formatAhead,
	};

	function formatTime(at: string | number, { withSeconds = false } = {}): string {
		const date = new Date(at);
		return words.dateAndTime(words.date(date.getFullYear(), formatDay(date)), formatClock(date, withSeconds));
	}

	function formatDay(date: Date): string {
		return words.day(date.getMonth(), date.getDate());
	}

	function formatClock(date: Date, withSeconds: boolean): string {
		const seconds = withSeconds ? `:${padTwoDigits(date.getSeconds())}` : "";
		return words.time(date.getHours(), `:${padTwoDigits(date.getMinutes())}${seconds}`);
	}

	function formatClockTime(at: string | number): string {
		return formatClock(new Date(at), false);
	}

	function formatHour(at: number): string {
		return words.time(new Date(at).getHours(), words.hourMark);
	}

	function formatWeekday(at: number): string {
		return words.weekdays[new Date(at).getDay()] ?? "";
	}

	function formatSpan(from: number, until: number, { withDay }: { readonly withDay: boolean }): string {
		const span = `${formatClockTime(from)} – ${formatClockTime(until)}`;
		if (!withDay) return span;
		return words.dateAndTime(words.dateAndTime(formatWeekday(from), formatDay(new Date(from))), span);
	}

	function formatAgo(at: string | number, now: number = Date.now()): string {
		const ms = new Date(at).getTime() - now;
		if (Math.abs(ms) > 30 * DAY_MS) return formatTime(at);
		const [unit, size] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? [];
		if (unit === undefined || size === undefined) return words.now;
		const count = Math.trunc(ms / size);
		const named = unit === "day" ? words.days[count] : undefined;
		return named ?? (count < 0 ? words.ago(-count, unit) : words.ahead(count, unit));
	}

	function formatSoon(at: string | number): string {
		const date = new Date(at);
		return words.dateAndTime(formatDay(date), formatClock(date, false));
	}

	function formatAhead(at: string | number, now: number = Date.now()): string {
		const ms = new Date(at).getTime() - now;
		const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? [];
		return unit === undefined || size === undefined ? words.now : words.ahead(Math.round(ms / size), unit);
	}
}

const padTwoDigits = (value: number): string => String(value).padStart(2, "0");
