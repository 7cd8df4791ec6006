import { type Json, unstorable } from "@tripline/contract/json";
import { TerminalError } from "../../component.ts";
import type { Meter } from "../../meter.ts";
import { parseTime } from "../dates.ts";
import { kindOf } from "../path.ts";
import { asJson, checkedText } from "../text-size.ts";
import { sha256Hex } from "./sha256.ts";

export function json(value: Json, what: string, meter: Meter): string {
	return asJson(value, `${what} | json`, meter);
}

/** How many times what reading a character costs that these cost for each. */
const COSTS = {
	parse_json: 96,
	trim: 1,
	upper: 16,
	lower: 16,
	split: 8,
	url: 32,
	base64: 16,
	sha256: 50,
} as const;
type TextFilter = keyof typeof COSTS;

export function parseJson(value: Json, what: string, meter: Meter): Json {
	const text = textIn(value, what, "parse_json", meter);
	let parsed: Json;
	try {
		parsed = JSON.parse(text);
	} catch {
		// The platform's message quotes the text, which may be a secret.
		throw new TerminalError(`${what} | parse_json: the text is not JSON`);
	}
	const problem = unstorable(parsed);
	if (problem !== null) throw new TerminalError(`${what} | parse_json: ${problem}`);
	return parsed;
}

export function trim(value: Json, what: string, meter: Meter): string {
	return textIn(value, what, "trim", meter).trim();
}

export function upper(value: Json, what: string, meter: Meter): string {
	return checkedText(textIn(value, what, "upper", meter).toUpperCase(), `${what} | upper`);
}

export function lower(value: Json, what: string, meter: Meter): string {
	return checkedText(textIn(value, what, "lower", meter).toLowerCase(), `${what} | lower`);
}

export function split(separator: string): (value: Json, what: string, meter: Meter) => Json {
	return (value, what, meter) => {
		const text = checkedText(textIn(value, what, "split", meter), `${what} | split`);
		if (separator === "") {
			meter.spend(text.length);
			return [...text];
		}
		const pieces = text.split(separator);
		meter.spend(pieces.length);
		return pieces;
	};
}

export function url(value: Json, what: string, meter: Meter): string {
	return checkedText(encodeURIComponent(scalarText(value, what, "url", meter)), `${what} | url`);
}

export function base64(value: Json, what: string, meter: Meter): string {
	const bytes = new TextEncoder().encode(scalarText(value, what, "base64", meter));
	let binary = "";
	for (let at = 0; at < bytes.length; at += 0x2000)
		binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
	return checkedText(btoa(binary), `${what} | base64`);
}

export function sha256(value: Json, what: string, meter: Meter): string {
	return sha256Hex(new TextEncoder().encode(scalarText(value, what, "sha256", meter)));
}

/** Half away from zero, in decimal: 1.005 to two digits is 1.01. */
export function round(digits: number): (value: Json, what: string) => Json {
	return (value, what) => {
		if (typeof value !== "number") throw needs(what, "round", "a number", value);
		const size = Math.abs(value);
		if (size >= 1e15 || size < 1e-20) return size < 1e-20 ? 0 : value;
		const [mantissa, exponent = "0"] = String(size).split("e") as [string, string?];
		const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
		const rounded = Number(`${shifted}e-${digits}`);
		return value < 0 && rounded !== 0 ? -rounded : rounded;
	};
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

function textIn(value: Json, what: string, filter: TextFilter, meter: Meter): string {
	if (typeof value !== "string") throw needs(what, filter, "a text", value);
	meter.spendOnText(value.length * COSTS[filter]);
	return value;
}

/** Identifiers are often numbers, so those pass as text where only their characters count. */
function scalarText(value: Json, what: string, filter: TextFilter, meter: Meter): string {
	if (value === null || typeof value === "object")
		throw needs(what, filter, "a text, a number, or true or false", value);
	const text = checkedText(String(value), `${what} | ${filter}`);
	meter.spendOnText(text.length * COSTS[filter]);
	if (!text.isWellFormed()) throw new TerminalError(`${what} | ${filter}: the text holds half a character`);
	return text;
}

export function needs(what: string, filter: string, kind: string, value: Json): TerminalError {
	return new TerminalError(`${what} | ${filter}: needs ${kind}, but it is ${kindOf(value)}`);
}
