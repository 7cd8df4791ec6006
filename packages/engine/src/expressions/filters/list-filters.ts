import type { Json } from "@tripline/contract/json";
import type { Meter } from "../../meter.ts";
import { createTooLongError, estimateTextBytes, formatText, MAX_TEXT_LENGTH } from "../text-size.ts";
import { createTypeError } from "./text-filters.ts";

/** The number of characters, elements or keys. */
export function length(value: Json, what: string, meter: Meter): number {
	if (typeof value === "string") {
		meter.spendOnText(value.length * 8);
		return countCharacters(value, meter);
	}
	if (typeof value !== "object" || value === null)
		throw createTypeError(what, "length", "text, a list or an object", value);
	return Array.isArray(value) ? value.length : keys(value, what, meter).length;
}

export function first(value: Json, what: string): Json | undefined {
	return assertList(value, what, "first")[0];
}

export function last(value: Json, what: string): Json | undefined {
	return assertList(value, what, "last").at(-1);
}

export function keys(value: Json, what: string, meter: Meter): string[] {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw createTypeError(what, "keys", "an object", value);
	const names = Object.keys(value);
	meter.spend(10 * names.length);
	meter.recordBytes(8 * names.length);
	return names;
}

export function join(separator: string): (value: Json, what: string, meter: Meter) => string {
	return (value, what, meter) => {
		const name = `${what} | join`;
		const list = assertList(value, what, "join");
		let length = -separator.length;
		// Collect, then join: a string built by concatenation takes many times its size until it is flattened.
		const texts = list.map((element) => {
			const text = formatText(element, name, meter);
			meter.spend(4 + (text.length + separator.length) / 8);
			length += text.length + separator.length;
			if (length > MAX_TEXT_LENGTH) throw createTooLongError(name);
			return text;
		});
		meter.recordBytes(estimateTextBytes(Math.max(0, length)));
		return texts.join(separator);
	};
}

/** Slices a list, or text by characters, from `from` up to but excluding `to`; negative indexes count from the end. */
export function slice(from: number, to?: number): (value: Json, what: string, meter: Meter) => Json {
	return (value, what, meter) => {
		if (typeof value === "string") {
			meter.spendOnText(value.length * 8);
			meter.recordBytes(estimateTextBytes(value.length));
			if (!SURROGATE.test(value)) return value.slice(from, to);
			meter.spend(2 * value.length);
			return [...value].slice(from, to).join("");
		}
		if (!Array.isArray(value)) throw createTypeError(what, "slice", "a list or text", value);
		const taken = value.slice(from, to);
		meter.spend(1 + taken.length);
		meter.recordBytes(8 * taken.length);
		return taken;
	};
}

/** A regular expression is much faster than a loop, and immediate for one-byte strings. */
const SURROGATE = /[\ud800-\udbff]/;

/** Counts code points, so that a character outside the basic plane counts once. */
export function countCharacters(text: string, meter: Meter): number {
	let count = text.length;
	if (!SURROGATE.test(text)) return count;
	meter.spend(text.length / 2);
	for (let at = 0; at < text.length - 1; at++)
		if (isHigh(text.charCodeAt(at)) && (text.codePointAt(at) as number) > 0xffff) count--;
	return count;
}

function isHigh(unit: number): boolean {
	return unit >= 0xd800 && unit <= 0xdbff;
}

function assertList(value: Json, what: string, filter: string): Json[] {
	if (!Array.isArray(value)) throw createTypeError(what, filter, "a list", value);
	return value;
}
