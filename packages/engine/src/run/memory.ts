const LIST_BYTES = 40;
const OBJECT_BYTES = 64;
const NUMBER_BYTES = 8;
const TEXT_BYTES = 32;
/** For a property of an object. */
export const ENTRY_BYTES = 24;

/** Fast for one-byte strings, which the engine can reject without scanning. */
const WIDE = /[^\0-\xff]/;

/** Estimated bytes of memory of a JSON value, rather too high than too low, and at most `most`. */
export function estimateMemory(value: unknown, most: number): number {
	let bytes = estimateOwnMemory(value);
	if (Array.isArray(value)) {
		for (let at = 0; at < value.length && bytes < most; at++)
			bytes += estimateMemory(value[at], most - bytes);
	} else if (typeof value === "object") {
		for (const key in value) {
			if (bytes >= most) break;
			bytes += ENTRY_BYTES + estimateMemory((value as Record<string, unknown>)[key], most - bytes);
		}
	}
	return Math.min(most, bytes);
}

/** Without its contents, but including its slot in the container. */
export function estimateOwnMemory(value: unknown): number {
	if (typeof value === "string") return TEXT_BYTES + (WIDE.test(value) ? 2 : 1) * value.length;
	if (typeof value !== "object" || value === null) return NUMBER_BYTES;
	return Array.isArray(value) ? LIST_BYTES : OBJECT_BYTES;
}
