import type { Json } from "@tripline/contract/json";

/** ISO 8601; a date without a time means midnight, and a time without a zone is UTC. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Smaller numbers are Unix seconds (up to the year 5138), larger ones Unix milliseconds (from 1973). */
const MIN_MILLISECONDS = 1e11;

const MIN_TIME_MS = Date.parse("0001-01-01T00:00:00.000Z");
const MAX_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Unix milliseconds within the years 1 to 9999; null if the value is not a time. */
export function parseTime(value: Json): number | null {
	const ms =
		typeof value === "number" ? parseNumber(value) : typeof value === "string" ? parseIso(value) : null;
	return ms === null || !(ms >= MIN_TIME_MS && ms <= MAX_TIME_MS) ? null : ms;
}

function parseNumber(value: number): number {
	return Math.round(Math.abs(value) < MIN_MILLISECONDS ? value * 1000 : value);
}

function parseIso(text: string): number | null {
	const match = text.length <= 40 ? ISO.exec(text) : null;
	if (match === null) return null;
	const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
	if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
	const date = new Date(0);
	date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
	if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
	date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, "0").slice(0, 3)));
	const offset = parseZone(zone);
	return offset === null ? null : date.getTime() - offset * 60_000;
}

function parseZone(zone: string): number | null {
	if (zone === "Z") return 0;
	const hours = Number(zone.slice(1, 3));
	const minutes = Number(zone.slice(-2));
	if (hours > 23 || minutes > 59) return null;
	return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

type Token = "YYYY" | "MM" | "DD" | "HH" | "mm" | "ss" | "SSS";
type FormatPart = { readonly token: Token } | { readonly text: string };

const TOKENS: readonly Token[] = ["YYYY", "SSS", "MM", "DD", "HH", "mm", "ss"];

/**
 * `iso`, `unix` (whole seconds, a number) or a pattern of YYYY MM DD HH mm ss SSS, all UTC. Letters other than T and Z
 * must be in brackets, so that a token of another tool is rejected instead of printed.
 */
export function compileDateFormat(format: string): ((ms: number) => Json) | { readonly problem: string } {
	if (format === "iso") return (ms) => new Date(ms).toISOString();
	if (format === "unix") return (ms) => Math.floor(ms / 1000);
	if (format.length === 0 || format.length > 100)
		return { problem: "the format must have 1 to 100 characters" };
	const parts: FormatPart[] = [];
	for (let at = 0; at < format.length; ) {
		const token = TOKENS.find((known) => format.startsWith(known, at));
		const character = format[at] as string;
		const close = character === "[" ? format.indexOf("]", at) : -1;
		if (token !== undefined) {
			parts.push({ token });
			at += token.length;
		} else if (close !== -1) {
			parts.push({ text: format.slice(at + 1, close) });
			at = close + 1;
		} else if (/^[A-Za-z[]$/.test(character) && character !== "T" && character !== "Z") {
			return { problem: `the format contains the unknown token ${JSON.stringify(character)}` };
		} else {
			parts.push({ text: character });
			at++;
		}
	}
	return (ms) => {
		const date = new Date(ms);
		let text = "";
		for (const part of parts) text += "text" in part ? part.text : padField(date, part.token);
		return text;
	};
}

function padField(date: Date, token: Token): string {
	return String(getField(date, token)).padStart(token.length, "0");
}

function getField(date: Date, token: Token): number {
	switch (token) {
		case "YYYY":
			return date.getUTCFullYear();
		case "MM":
			return date.getUTCMonth() + 1;
		case "DD":
			return date.getUTCDate();
		case "HH":
			return date.getUTCHours();
		case "mm":
			return date.getUTCMinutes();
		case "ss":
			return date.getUTCSeconds();
		case "SSS":
			return date.getUTCMilliseconds();
	}
}
