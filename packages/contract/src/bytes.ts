// Uint8Array has methods for this, but not on every supported runtime.

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
	let hex = "";
	for (const byte of bytes) hex += hexPairs[byte];
	return hex;
}

/** Expects an even number of hex digits. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(hex.length / 2);
	for (let index = 0; index < bytes.length; index++) {
		bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
	}
	return bytes;
}

const CHUNK = 8192;

export function toBase64(bytes: Uint8Array): string {
	let binary = "";
	for (let start = 0; start < bytes.length; start += CHUNK) {
		// Spreading iterates over the bytes, which is several times slower.
		binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(start, start + CHUNK));
	}
	return btoa(binary);
}

/** Without padding, for URLs. */
export const toBase64Url = (bytes: Uint8Array): string =>
	toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/**
 * Decodes base64 or base64url, with or without padding. Null if it is neither, or not in canonical form, for example
 * because its last character has unused bits set.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
	const plain = text
		.replaceAll("-", "+")
		.replaceAll("_", "/")
		.replace(/={1,2}$/, "");
	if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) return null;
	const binary = atob(plain);
	// Uint8Array.from iterates over the characters, which is several times slower.
	const bytes = new Uint8Array(binary.length);
	for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
	return toBase64(bytes).replaceAll("=", "") === plain ? bytes : null;
}
