import type { Json } from "@tripline/contract/json";
import { ValueSet } from "../../json-schema/equality.ts";
import type { Meter } from "../../meter.ts";
import { TerminalError } from "../../terminal-error.ts";
import { describeJsonKind, quoteSource, readStep } from "../path.ts";
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

/** Key and value of each property, in the object's order. */
export function entries(value: Json, what: string, meter: Meter): Json[] {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw createTypeError(what, "entries", "an object", value);
	const names = Object.keys(value);
	meter.spend(UNITS_PER_ENTRY * names.length);
	meter.recordBytes(BYTES_PER_ENTRY * names.length);
	return names.map((key) => ({ key, value: value[key] as Json }));
}

const UNITS_PER_ENTRY = 16;
const BYTES_PER_ENTRY = 48;

/** The elements without repetitions; objects are equal whatever the order of their properties. */
export function unique(value: Json, what: string, meter: Meter): Json[] {
	const seen = new ValueSet();
	const kept: Json[] = [];
	for (const element of assertList(value, what, "unique")) {
		const { size } = seen;
		const { left } = meter;
		seen.add(element, meter);
		// Sorting and serialising many small objects takes about three times what the set charges.
		if (typeof element === "object") meter.spend(2 * (left - meter.left));
		if (seen.size > size) kept.push(element);
	}
	meter.recordBytes(8 * kept.length);
	return kept;
}

/** The field `name` of each element. */
export function pluck(name: string): (value: Json, what: string, meter: Meter) => Json[] {
	return (value, what, meter) => {
		const list = assertList(value, what, "pluck");
		meter.spend(UNITS_PER_READ * list.length);
		meter.recordBytes(8 * list.length);
		return list.map((element, index) => {
			const field = readStep(element, name);
			if (field !== undefined) return field;
			const isObject = typeof element === "object" && element !== null && !Array.isArray(element);
			const why = isObject ? `has no ${quoteSource(name)}` : `is ${describeJsonKind(element)}, not an object`;
			throw new TerminalError(`${what} | pluck: element ${index} ${why}`);
		});
	};
}

/** `value` of the first element whose `name` is this one, in any case, as in a list of headers or fields. */
export function named(name: string): (value: Json, what: string, meter: Meter) => Json | undefined {
	const wanted = name.toLowerCase();
	return (value, what, meter) => {
		const list = assertList(value, what, "named");
		meter.spend(UNITS_PER_READ * list.length);
		const found = list.find((element) => {
			const called = readStep(element, "name");
			if (typeof called !== "string" || called.length !== name.length) return false;
			meter.spendOnText(8 * called.length);
			return called.toLowerCase() === wanted;
		});
		return readStep(found, "value");
	};
}

const UNITS_PER_READ = 4;

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
