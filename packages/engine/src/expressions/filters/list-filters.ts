import type { Json } from "@tripline/contract/json";
import { asText, checkedText } from "../text-size.ts";
import { needs } from "./text-filters.ts";

/** Characters, elements or keys. */
export function length(value: Json, what: string): number {
	if (typeof value === "string") return characters(value);
	if (typeof value !== "object" || value === null)
		throw needs(what, "length", "a text, a list or an object", value);
	return Array.isArray(value) ? value.length : Object.keys(value).length;
}

export function first(value: Json, what: string): Json | undefined {
	return listIn(value, what, "first")[0];
}

export function last(value: Json, what: string): Json | undefined {
	return listIn(value, what, "last").at(-1);
}

export function keys(value: Json, what: string): string[] {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw needs(what, "keys", "an object", value);
	return Object.keys(value);
}

export function join(separator: string): (value: Json, what: string) => string {
	return (value, what) => {
		const name = `${what} | join`;
		let text = "";
		for (const [place, element] of listIn(value, what, "join").entries())
			text = checkedText((place === 0 ? "" : text + separator) + asText(element, name), name);
		return text;
	};
}

/** From the place `from` up to `to`, not included; negative ones count from the end. Of a list, or characters of a text. */
export function slice(from: number, to?: number): (value: Json, what: string) => Json {
	return (value, what) => {
		if (typeof value === "string")
			return isPlain(value) ? value.slice(from, to) : [...value].slice(from, to).join("");
		if (!Array.isArray(value)) throw needs(what, "slice", "a list or a text", value);
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
