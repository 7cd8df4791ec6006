import { sha256 as computeSha256 } from "@noble/hashes/sha2.js";
import { fromBase64 as decodeBase64, toBase64, toHex } from "@tripline/contract/bytes";
import { findUnstorable, findUnstorableParsed, type Json } from "@tripline/contract/json";
import type { Meter } from "../../meter.ts";
import { TerminalError } from "../../terminal-error.ts";
import { parseTime } from "../dates.ts";
import { describeJsonKind } from "../path.ts";
import {
	checkTextLength,
	createTooLongError,
	estimateTextBytes,
	formatJson,
	formatText,
	MAX_TEXT_LENGTH,
} from "../text-size.ts";

export function json(value: Json, what: string, meter: Meter): string {
	return formatJson(value, `${what} | json`, meter);
}

/** Cost per character relative to reading one. */
const COSTS = {
	parse_json: 128,
	trim: 8,
	upper: 20,
	lower: 20,
	split: 8,
	html: 16,
	url: 48,
	base64: 48,
	from_base64: 128,
	sha256: 50,
} as const;
type TextFilter = keyof typeof COSTS;

/** Per character: two characters can be an empty list. */
const BYTES_PER_JSON = 20;

export function parseJson(value: Json, what: string, meter: Meter): Json {
	const text = readText(value, what, "parse_json", meter);
	let parsed: Json;
	try {
		parsed = JSON.parse(text);
	} catch {
		// The platform's error message quotes the text, which may be secret.
		throw new TerminalError(`${what} | parse_json: the text is not JSON`);
	}
	meter.recordBytes(BYTES_PER_JSON * text.length);
	const problem = text.isWellFormed() ? findUnstorableParsed(parsed, text) : findUnstorable(parsed);
	if (problem !== null) throw new TerminalError(`${what} | parse_json: ${problem}`);
	return parsed;
}

export function trim(value: Json, what: string, meter: Meter): string {
	return readText(value, what, "trim", meter).trim();
}

export function upper(value: Json, what: string, meter: Meter): string {
	return finishText(readText(value, what, "upper", meter).toUpperCase(), `${what} | upper`, meter);
}

export function lower(value: Json, what: string, meter: Meter): string {
	return finishText(readText(value, what, "lower", meter).toLowerCase(), `${what} | lower`, meter);
}

/** Includes its slot in the list. */
const BYTES_PER_PIECE = 40;

export function split(separator: string): (value: Json, what: string, meter: Meter) => Json {
	return (value, what, meter) => {
		const text = checkTextLength(readText(value, what, "split", meter), `${what} | split`);
		if (separator === "") {
			meter.spend(2 * text.length);
			meter.recordBytes(BYTES_PER_PIECE * text.length);
			return [...text];
		}
		const pieces = text.split(separator);
		meter.spend(4 * pieces.length);
		meter.recordBytes(BYTES_PER_PIECE * pieces.length + estimateTextBytes(text.length));
		return pieces;
	};
}

/** Collects and joins: the length is checked before the text is built. */
export function replace(part: string, by: string): (value: Json, what: string, meter: Meter) => string {
	return (value, what, meter) => {
		const name = `${what} | replace`;
		if (typeof value !== "string") throw createTypeError(what, "replace", "text", value);
		// A substring search may compare every character with every other.
		meter.spendOnText(value.length * (part.length + 8));
		const pieces = value.split(part);
		meter.spend(4 * pieces.length);
		const length = value.length + (pieces.length - 1) * (by.length - part.length);
		if (length > MAX_TEXT_LENGTH) throw createTooLongError(name);
		meter.spendOnText(length);
		meter.recordBytes(BYTES_PER_PIECE * pieces.length + estimateTextBytes(length));
		return pieces.join(by);
	};
}

const REFERENCES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

/** Escapes text for the content of an element and for a quoted attribute. */
export function html(value: Json, what: string, meter: Meter): string {
	const text = readScalarText(value, what, "html", meter);
	const escaped = text.replace(/[&<>"']/g, (character) => REFERENCES[character] as string);
	// Each replacement adds at least three characters.
	meter.spend(UNITS_PER_ESCAPE * ((escaped.length - text.length) / 3));
	return finishText(escaped, `${what} | html`, meter);
}

const UNITS_PER_ESCAPE = 4;

/** The same text as between other text: null as nothing, objects and lists as JSON. */
export function text(value: Json, what: string, meter: Meter): string {
	return formatText(value, `${what} | text`, meter);
}

export function url(value: Json, what: string, meter: Meter): string {
	return finishText(encodeURIComponent(readScalarText(value, what, "url", meter)), `${what} | url`, meter);
}

export function base64(value: Json, what: string, meter: Meter): string {
	const bytes = new TextEncoder().encode(readScalarText(value, what, "base64", meter));
	return finishText(toBase64(bytes), `${what} | base64`, meter);
}

/** The UTF-8 text of base64 or base64url. Other bytes become U+FFFD, and so does NUL, which cannot be stored. */
export function fromBase64(value: Json, what: string, meter: Meter): string {
	const name = `${what} | from_base64`;
	const bytes = decodeBase64(checkTextLength(readText(value, what, "from_base64", meter), name));
	if (bytes === null) throw new TerminalError(`${name}: the text is not base64`);
	return finishText(new TextDecoder().decode(bytes).replaceAll("\0", "\ufffd"), name, meter);
}

export function sha256(value: Json, what: string, meter: Meter): string {
	const text = readScalarText(value, what, "sha256", meter);
	const bytes = new TextEncoder().encode(text);
	meter.spendOnText((bytes.length - text.length) * COSTS.sha256);
	return toHex(computeSha256(bytes));
}

export function date(print: (ms: number) => Json): (value: Json, what: string) => Json {
	return (value, what) => {
		const ms = parseTime(value);
		if (ms === null)
			throw new TerminalError(
				`${what} | date: needs an ISO 8601 time or a Unix time in seconds or milliseconds`,
			);
		return print(ms);
	};
}

function readText(value: Json, what: string, filter: TextFilter, meter: Meter): string {
	if (typeof value !== "string") throw createTypeError(what, filter, "text", value);
	meter.spendOnText(value.length * COSTS[filter]);
	return value;
}

function finishText(text: string, what: string, meter: Meter): string {
	meter.recordBytes(estimateTextBytes(text.length));
	return checkTextLength(text, what);
}

/** Identifiers are often numbers, so filters that only encode characters accept them as text. */
function readScalarText(value: Json, what: string, filter: TextFilter, meter: Meter): string {
	if (value === null || typeof value === "object")
		throw createTypeError(what, filter, "text, a number, or true or false", value);
	const text = checkTextLength(String(value), `${what} | ${filter}`);
	meter.spendOnText(text.length * COSTS[filter]);
	if (!text.isWellFormed())
		throw new TerminalError(`${what} | ${filter}: the text contains an unpaired surrogate`);
	return text;
}

export function createTypeError(what: string, filter: string, kind: string, value: Json): TerminalError {
	return new TerminalError(`${what} | ${filter}: needs ${kind}, but it is ${describeJsonKind(value)}`);
}
