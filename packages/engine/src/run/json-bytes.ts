/** Characters that take more than one byte in JSON. */
const SPECIAL = /[^ !#-[\]-\x7e]/;

/** Sizes of large values that are passed from node to node. Outputs are never modified, so they stay valid. */
const known = new WeakMap<object, number>();
const LARGE_BYTES = 65_536;
/** Looking up each of a hundred thousand elements would cost more than it saves. */
const REMEMBERED_DEPTH = 1;

/**
 * Size of a plain value's JSON in bytes of UTF-8; stops counting soon after `limit`. It does not serialise: values are
 * large, and the strings would be garbage many times their size.
 */
export function countJsonBytes(value: unknown, limit: number, depth = 0): number {
	if (typeof value === "string") return countTextBytes(value);
	// Undefined becomes null.
	if (value === null || value === undefined) return 4;
	if (typeof value !== "object") return String(value).length;
	const remembered = depth > REMEMBERED_DEPTH ? undefined : known.get(value);
	if (remembered !== undefined) return remembered;
	const bytes = Array.isArray(value)
		? countListBytes(value, limit, depth)
		: countObjectBytes(value, limit, depth);
	if (depth <= REMEMBERED_DEPTH && bytes > LARGE_BYTES && bytes <= limit) known.set(value, bytes);
	return bytes;
}

function countListBytes(list: readonly unknown[], limit: number, depth: number): number {
	let bytes = 1;
	for (let at = 0; at < list.length && bytes <= limit; at++)
		bytes += 1 + countJsonBytes(list[at], limit - bytes, depth + 1);
	return Math.max(2, bytes);
}

function countObjectBytes(object: object, limit: number, depth: number): number {
	let bytes = 1;
	for (const key in object) {
		if (bytes > limit) break;
		const value = (object as Record<string, unknown>)[key];
		bytes += countTextBytes(key) + 2 + countJsonBytes(value, limit - bytes, depth + 1);
	}
	return Math.max(2, bytes);
}

function countTextBytes(text: string): number {
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
