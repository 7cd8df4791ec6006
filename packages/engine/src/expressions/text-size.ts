import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";
import { TerminalError } from "../component.ts";
import type { Meter } from "../meter.ts";

/** Characters that one template, filter or expression may produce. */
export const MAX_TEXT = 1_048_576;

export function checkedText(text: string, what: string): string {
	if (text.length > MAX_TEXT) throw tooLong(what);
	return text;
}

function tooLong(what: string): TerminalError {
	return new TerminalError(`${what} gives more than ${MAX_TEXT} characters of text`);
}

/** A value as part of a longer text: text as it is, null as nothing, objects and lists as JSON. */
export function asText(value: Json, what: string, meter: Meter): string {
	if (typeof value === "string") return value;
	if (value === null) return "";
	if (typeof value !== "object") return String(value);
	return asJson(value, what, meter);
}

export function asJson(value: Json, what: string, meter: Meter): string {
	checkSize(value, what, meter);
	return checkedText(JSON.stringify(value), what);
}

/**
 * Refuses a value whose JSON would be too long or too deep, before anything of that length is made: a list that holds
 * one large object many times is small in memory and huge as text.
 */
function checkSize(value: Json, what: string, meter: Meter): void {
	roomAfter(value, what, MAX_TEXT, 0, meter);
}

/** What is left of `room` after the value's JSON, escapes not counted. */
function roomAfter(value: Json, what: string, room: number, depth: number, meter: Meter): number {
	let left = room;
	// Once to count and once to write.
	meter.spend(typeof value === "string" ? 4 + value.length / 16 : 4);
	if (typeof value === "string") left -= value.length + 2;
	else if (typeof value !== "object" || value === null) left -= 4;
	else {
		if (depth >= MAX_JSON_DEPTH)
			throw new TerminalError(`${what} nests deeper than ${MAX_JSON_DEPTH} levels`);
		left -= 2;
		if (Array.isArray(value))
			for (const element of value) left = roomAfter(element, what, left - 1, depth + 1, meter);
		else
			for (const key in value)
				left = roomAfter(value[key] as Json, what, left - key.length - 4, depth + 1, meter);
	}
	if (left < 0) throw tooLong(what);
	return left;
}
