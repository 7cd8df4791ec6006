import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";

/** Measures values in characters of JSON: exact up to `most`, infinite beyond. Each part is measured once. */
export function createMeasure(most: number): (value: Json) => number {
	const sizes = new Map<object, number>();
	return measure;

	function measure(value: Json): number {
		if (typeof value !== "object" || value === null) return measurePlain(value);
		const known = sizes.get(value);
		if (known !== undefined) return known;
		const size = Array.isArray(value) ? measureList(value) : measureObject(value);
		sizes.set(value, size);
		return size;
	}

	/** Includes the brackets and commas. */
	function measureList(list: readonly Json[]): number {
		let size = 2 + Math.max(0, list.length - 1);
		for (const each of list) {
			if (size > most) return Number.POSITIVE_INFINITY;
			size += measure(each);
		}
		return size;
	}

	function measureObject(object: { readonly [key: string]: Json }): number {
		const keys = listKeys(object);
		let size = 2 + Math.max(0, keys.length - 1);
		for (const key of keys) {
			if (size > most) return Number.POSITIVE_INFINITY;
			size += measureText(key) + 1 + measure(object[key] as Json);
		}
		return size;
	}
}

/** Whether a value exceeds the maximum depth, at which serializing could fail. */
export function isTooDeep(value: Json, depth = 0): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (depth >= MAX_JSON_DEPTH) return true;
	if (Array.isArray(value)) {
		for (const each of value) if (typeof each === "object" && isTooDeep(each, depth + 1)) return true;
		return false;
	}
	for (const key of listKeys(value)) if (isTooDeep(value[key] as Json, depth + 1)) return true;
	return false;
}

/** Listing the keys of a large object takes several times as long as looking them up, and its keys never change. */
const MANY_KEYS = 1_000;
const largeObjects = new WeakMap<object, readonly string[]>();

export function listKeys(object: object): readonly string[] {
	const known = largeObjects.get(object);
	if (known !== undefined) return known;
	const keys = Object.keys(object);
	if (keys.length > MANY_KEYS) largeObjects.set(object, keys);
	return keys;
}

/** Characters that may need escaping; `JSON.stringify` decides which do. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** Includes the quotes. */
export const measureText = (text: string): number =>
	ESCAPED.test(text) ? JSON.stringify(text).length : text.length + 2;

const measurePlain = (value: Json): number =>
	typeof value === "string" ? measureText(value) : JSON.stringify(value).length;
