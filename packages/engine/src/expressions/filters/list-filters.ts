import type { Json } from "@tripline/contract/json";
import type { Meter } from "../../meter.ts";
import { asText, checkedText } from "../text-size.ts";
import { needs } from "./text-filters.ts";

/** Characters, elements or keys. */
export function length(value: Json, what: string, meter: Meter): number {
	if (typeof value === "string") {
		meter.spendOnText(value.length * 4);
		return characters(value);
	}
	if (typeof value !== "object" || value === null)
		throw needs(what, "length", "a text, a list or an object", value);
	return Array.isArray(value) ? value.length : keys(value, what, meter).length;
}

export function first(value: Json, what: string): Json | undefined {
	return listIn(value, what, "first")[0];
}

export function last(value: Json, what: string): Json | undefined {
	return listIn(value, what, "last").at(-1);
}

export function keys(value: Json, what: string, meter: Meter): string[] {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw needs(what, "keys", "an object", value);
	const names = Object.keys(value);
	meter.spend(8 * names.length);
	return names;
}

export function join(separator: string): (value: Json, what: string, meter: Meter) => string {
	return (value, what, meter) => {
		const name = `${what} | join`;
		let text = "";
		for (const [place, element] of listIn(value, what, "join").entries()) {
			const added = asText(element, name, meter);
			meter.spendOnText(8 * (8 + added.length + separator.length));
			text = checkedText((place === 0 ? "" : text + separator) + added, name);
		}
		return text;
	};
}

/** From the place `from` up to `to`, not included; negative ones count from the end. Of a list, or characters of a text. */
export function slice(from: number, to?: number): (value: Json, what: string, meter: Meter) => Json {
	return (value, what, meter) => {
		if (typeof value === "string") {
			meter.spendOnText(value.length * 8);
			if (isPlain(value)) return value.slice(from, to);
			meter.spend(value.length);
			return [...value].slice(from, to).join("");
		}
		if (!Array.isArray(value)) throw needs(what, "slice", "a list or a text", value);
		meter.spend(value.length / 8);
		return value.slice(from, to);
	};
}

/** One for each code point, so that a character outside the basic plane counts once. */
export function characters(text: string): number {
	let count = text.length;
	for (let at = 0; at < text.length - 1; at++)
		if (isHigh(text.charCodeAt(at)) && (text.codePointAt(at) as number) > 0xffff) count--;
	return count;
}

function isPlain(text: string): boolean {
	for (let at = 0; at < text.length; at++) if (isHigh(text.charCodeAt(at))) return false;
	return true;
}

function isHigh(unit: number): boolean {
	return unit >= 0xd800 && unit <= 0xdbff;
}

function listIn(value: Json, what: string, filter: string): Json[] {
	if (!Array.isArray(value)) throw needs(what, filter, "a list", value);
	return value;
}
