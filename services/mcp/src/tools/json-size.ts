import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";

export interface Measured {
	/** Characters as JSON. */
	sizeOf(value: Json): number;
	/** Nests deeper than JSON may here: a writer of JSON could fail on it. */
	readonly isTooDeep: boolean;
}

/** Measures a value and all its parts once. What lies too deep counts nothing. */
export function measured(whole: Json): Measured {
	const sizes = new Map<object, number>();
	let isTooDeep = false;
	measure(whole, 0);
	return {
		sizeOf: (value) =>
			typeof value === "object" && value !== null ? (sizes.get(value) ?? 0) : plainSize(value),
		isTooDeep,
	};

	function measure(value: Json, depth: number): number {
		if (typeof value !== "object" || value === null) return plainSize(value);
		if (depth >= MAX_JSON_DEPTH) {
			isTooDeep = true;
			return 0;
		}
		const size = Array.isArray(value) ? listSize(value, depth + 1) : objectSize(value, depth + 1);
		sizes.set(value, size);
		return size;
	}

	/** The brackets, and a comma between two. */
	function listSize(list: readonly Json[], depth: number): number {
		let size = 2 + Math.max(0, list.length - 1);
		for (const each of list) size += measure(each, depth);
		return size;
	}

	function objectSize(object: { readonly [key: string]: Json }, depth: number): number {
		const keys = Object.keys(object);
		let size = 2 + Math.max(0, keys.length - 1);
		for (const key of keys) size += textSize(key) + 1 + measure(object[key] as Json, depth);
		return size;
	}
}

/** Some of these are written as they are; the writer of JSON knows which. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** With its quotes. */
export const textSize = (text: string): number =>
	ESCAPED.test(text) ? JSON.stringify(text).length : text.length + 2;

const plainSize = (value: Json): number =>
	typeof value === "string" ? textSize(value) : JSON.stringify(value).length;
