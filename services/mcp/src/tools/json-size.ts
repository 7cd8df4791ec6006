import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";

/** Measures values in characters of JSON: exact up to `most`, infinite beyond. Each part is measured once. */
export function sizesUpTo(most: number): (value: Json) => number {
	const sizes = new Map<object, number>();
	return sizeOf;

	function sizeOf(value: Json): number {
		if (typeof value !== "object" || value === null) return plainSize(value);
		const known = sizes.get(value);
		if (known !== undefined) return known;
		const size = Array.isArray(value) ? listSize(value) : objectSize(value);
		sizes.set(value, size);
		return size;
	}

	/** Includes the brackets and commas. */
	function listSize(list: readonly Json[]): number {
		let size = 2 + Math.max(0, list.length - 1);
		for (const each of list) {
			if (size > most) return Number.POSITIVE_INFINITY;
			size += sizeOf(each);
		}
		return size;
	}

	function objectSize(object: { readonly [key: string]: Json }): number {
		const keys = Object.keys(object);
		let size = 2 + Math.max(0, keys.length - 1);
		for (const key of keys) {
			if (size > most) return Number.POSITIVE_INFINITY;
			size += textSize(key) + 1 + sizeOf(object[key] as Json);
		}
		return size;
	}
}

/** Whether a value exceeds the maximum depth, at which serializing could fail. */
export function isTooDeep(value: Json, depth = 0): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (depth >= MAX_JSON_DEPTH) return true;
	for (const each of Array.isArray(value) ? value : Object.values(value)) {
		if (typeof each === "object" && isTooDeep(each, depth + 1)) return true;
	}
	return false;
}

/** Characters that may need escaping; `JSON.stringify` decides which do. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** Includes the quotes. */
export const textSize = (text: string): number =>
	ESCAPED.test(text) ? JSON.stringify(text).length : text.length + 2;

const plainSize = (value: Json): number =>
	typeof value === "string" ? textSize(value) : JSON.stringify(value).length;
