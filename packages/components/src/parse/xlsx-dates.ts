/** What a number format shows of a number: the number, a date, a time, both, or hours that go beyond a day. */
export type NumberKind = "number" | "date" | "time" | "datetime" | "duration";

/** The built-in formats that show dates or times; 27 to 36 and 50 to 58 are dates in East Asian versions. */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
	[14, 17, "date"],
	[18, 21, "time"],
	[22, 22, "datetime"],
	[27, 31, "date"],
	[32, 33, "time"],
	[34, 36, "date"],
	[45, 45, "time"],
	[46, 46, "duration"],
	[47, 47, "time"],
	[50, 54, "date"],
	[55, 56, "time"],
	[57, 58, "date"],
];

export const findBuiltInKind = (id: number): NumberKind =>
	BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? "number";

/** Text in quotes, characters that are escaped, repeated or as wide as another, colours, conditions and locales. */
const NOT_PARTS = /"[^"]*"?|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi;
const MAX_CODE_CHARACTERS = 1000;

/** By the codes of a format's first section, such as `dd/mm/yyyy hh:mm`. */
export function findNumberKind(code: string): NumberKind {
	const [section = ""] = code.slice(0, MAX_CODE_CHARACTERS).replace(NOT_PARTS, "").split(";");
	const parts = section.toLowerCase();
	if (parts.includes("general")) return "number";
	if (/\[(?:h+|m+|s+)\]/.test(parts)) return "duration";
	const hasTime = /[hs]/.test(parts);
	// A month and a minute have the same letter.
	const hasDate = /[yd]/.test(parts) || (!hasTime && parts.includes("m"));
	return hasDate ? (hasTime ? "datetime" : "date") : hasTime ? "time" : "number";
}

const DAY_MS = 86_400_000;
/** 9999-12-31, the last day that a sheet can show. */
const MAX_SERIAL = 2_958_466;
const DAYS_1904 = 1462;
/** The 1900 system counts a 29 February 1900, which did not exist, as its day 60. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FALSE_DAY = 60;

/** A number of days as ISO 8601 text without a zone. Null if it is not the time of any day. */
export function formatSerial(given: number, kind: NumberKind, is1904: boolean): string | null {
	if (kind === "number") return null;
	if (kind === "duration") return formatDuration(given);
	const serial = is1904 && (kind !== "time" || given >= 1) ? given + DAYS_1904 : given;
	if (!(serial >= 0 && serial < MAX_SERIAL)) return null;
	const milliseconds = Math.round(serial * DAY_MS);
	const days = Math.floor(milliseconds / DAY_MS);
	const time = formatTime(milliseconds - days * DAY_MS);
	if (days === 0 && kind === "time") return time;
	if (days === 0 && kind !== "date" && !is1904) return time;
	const date = formatDate(days);
	return kind === "date" && time === "00:00:00" ? date : `${date}T${time}`;
}

/** The latest day, because neighbouring cells often have the same. */
let latest = { days: -1, text: "" };

function formatDate(days: number): string {
	if (latest.days !== days) {
		const time = EPOCH_MS + (days < FALSE_DAY ? days + 1 : days) * DAY_MS;
		latest = { days, text: new Date(time).toISOString().slice(0, 10) };
	}
	return latest.text;
}

function formatDuration(days: number): string | null {
	if (!(Math.abs(days) < MAX_SERIAL)) return null;
	const milliseconds = Math.round(Math.abs(days) * DAY_MS);
	const hours = Math.floor(milliseconds / 3_600_000);
	return `${days < 0 ? "-" : ""}${String(hours).padStart(2, "0")}${formatTime(milliseconds % DAY_MS).slice(2)}`;
}

/** `08:30:00`, with milliseconds only if there are any. Dates of the engine take several times as long. */
function formatTime(milliseconds: number): string {
	const seconds = Math.floor(milliseconds / 1000);
	const whole = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
		.map((part) => String(Math.floor(part)).padStart(2, "0"))
		.join(":");
	const rest = milliseconds % 1000;
	return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, "0")}`;
}
