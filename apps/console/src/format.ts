import { languageNow } from "./texts/texts.ts";

const DAY_MS = 86_400_000;

/** To make a formatter takes longer than to use it a hundred times, and lists use them while they scroll. */
const made = new Map<string, unknown>();
function once<T>(key: string, make: (language: string) => T): T {
	const language = languageNow();
	const known = made.get(`${language} ${key}`);
	if (known !== undefined) return known as T;
	const fresh = make(language);
	made.set(`${language} ${key}`, fresh);
	return fresh;
}

/** A time in the reader's zone and language. */
export function timeOf(iso: string | number, { withSeconds = false } = {}): string {
	const timeStyle = withSeconds ? "medium" : "short";
	const format = once(
		`time ${timeStyle}`,
		(language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle }),
	);
	return format.format(new Date(iso));
}

export const hourOf = (iso: string): string =>
	once(
		"hour",
		(language) => new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" }),
	).format(new Date(iso));

/** "3 minutes ago", "in 2 hours"; past a month the date itself. */
export function agoOf(iso: string | number, now: number = Date.now()): string {
	const ms = new Date(iso).getTime() - now;
	if (Math.abs(ms) > 30 * DAY_MS) return timeOf(iso);
	const format = once("ago", (language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
	for (const [unit, size] of UNITS)
		if (Math.abs(ms) >= size) return format.format(Math.trunc(ms / size), unit);
	return format.format(0, "second");
}

const UNITS = [
	["day", DAY_MS],
	["hour", 3_600_000],
	["minute", 60_000],
	["second", 1000],
] as const;

export function durationOf(ms: number): string {
	if (ms < 1) return "<1 ms";
	if (ms < 1000) return `${Math.round(ms)} ms`;
	if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
	return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function bytesOf(bytes: number): string {
	const unit = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
	const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
	return new Intl.NumberFormat(languageNow(), {
		style: "unit",
		unit: unit[power] ?? "byte",
		unitDisplay: "short",
		maximumFractionDigits: 1,
	}).format(bytes / 1000 ** power);
}

export const numberOf = (value: number): string =>
	once("number", (language) => new Intl.NumberFormat(language)).format(value);
