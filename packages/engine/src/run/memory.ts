const LIST_BYTES = 40;
const OBJECT_BYTES = 64;
const NUMBER_BYTES = 8;
const TEXT_BYTES = 32;
/** A name and a value in an object. */
export const ENTRY_BYTES = 24;

/** Where every character is one byte, it says no without a look at them. */
const WIDE = /[^\0-\xff]/;

/** Bytes of memory that JSON takes, about and rather more; `most` as soon as it is that much. */
export function memoryOf(value: unknown, most: number): number {
	let bytes = ownMemoryOf(value);
	if (Array.isArray(value)) {
		for (let at = 0; at < value.length && bytes < most; at++) bytes += memoryOf(value[at], most - bytes);
	} else if (typeof value === "object") {
		for (const key in value) {
			if (bytes >= most) break;
			bytes += ENTRY_BYTES + memoryOf((value as Record<string, unknown>)[key], most - bytes);
		}
	}
	return Math.min(most, bytes);
}

/** Without what is in it, with its place in what holds it. */
export function ownMemoryOf(value: unknown): number {
	if (typeof value === "string") return TEXT_BYTES + (WIDE.test(value) ? 2 : 1) * value.length;
	if (typeof value !== "object" || value === null) return NUMBER_BYTES;
	return Array.isArray(value) ? LIST_BYTES : OBJECT_BYTES;
}
