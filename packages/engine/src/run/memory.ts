/** What values take besides what is in them, with their places in what holds them. */
const LIST_BYTES = 40;
const OBJECT_BYTES = 64;
const ENTRY_BYTES = 24;
const NUMBER_BYTES = 8;
const TEXT_BYTES = 32;

/** Where every character is one byte, it says no without a look at them. */
const WIDE = /[^\0-\xff]/;

/** Bytes of memory that JSON takes, about and rather more; `most` as soon as it is that much. */
export function memoryOf(value: unknown, most: number): number {
	if (typeof value === "string") return Math.min(most, textBytes(value));
	if (typeof value !== "object" || value === null) return Math.min(most, NUMBER_BYTES);
	if (Array.isArray(value)) {
		let bytes = LIST_BYTES;
		for (let at = 0; at < value.length && bytes < most; at++) bytes += memoryOf(value[at], most - bytes);
		return Math.min(most, bytes);
	}
	let bytes = OBJECT_BYTES;
	for (const key in value) {
		if (bytes >= most) break;
		bytes += ENTRY_BYTES + memoryOf((value as Record<string, unknown>)[key], most - bytes);
	}
	return Math.min(most, bytes);
}

const textBytes = (text: string): number => TEXT_BYTES + (WIDE.test(text) ? 2 : 1) * text.length;
