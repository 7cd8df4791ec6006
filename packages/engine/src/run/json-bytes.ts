/** What is not one byte of JSON each. */
const SPECIAL = /[^ !#-[\]-\x7e]/;

/**
 * How many bytes of UTF-8 a plain value's JSON has; it stops counting soon after `limit`. Nothing is made: what is
 * measured is large, and the measured texts of a run would be garbage many times its size.
 */
export function jsonBytes(value: unknown, limit: number): number {
	if (typeof value === "string") return textBytes(value);
	// What is undefined becomes null.
	if (value === null || value === undefined) return 4;
	if (typeof value !== "object") return String(value).length;
	let bytes = 1;
	if (Array.isArray(value)) {
		for (let at = 0; at < value.length && bytes <= limit; at++)
			bytes += 1 + jsonBytes(value[at], limit - bytes);
		return Math.max(2, bytes);
	}
	for (const key in value) {
		if (bytes > limit) break;
		bytes += textBytes(key) + 2 + jsonBytes((value as Record<string, unknown>)[key], limit - bytes);
	}
	return Math.max(2, bytes);
}

function textBytes(text: string): number {
	let bytes = text.length + 2;
	if (!SPECIAL.test(text)) return bytes;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		if (unit >= 0x80) {
			if (unit < 0x800) bytes += 1;
			else if (unit < 0xd800 || unit > 0xdfff) bytes += 2;
			else if ((text.codePointAt(at) as number) > 0xffff) {
				bytes += 2;
				at++;
			} else bytes += 5;
		} else if (unit < 0x20) bytes += SHORT_ESCAPES.includes(unit) ? 1 : 5;
		else if (unit === QUOTE || unit === BACKSLASH) bytes += 1;
	}
	return bytes;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const SHORT_ESCAPES = Array.from("\b\t\n\f\r", (character) => character.charCodeAt(0));
