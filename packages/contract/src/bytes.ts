// Uint8Array can do this by itself, but not on every runtime that is supported.

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
	let hex = "";
	for (const byte of bytes) hex += hexPairs[byte];
	return hex;
}

/** Of an even number of hex digits. */
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
		// Spreading takes the bytes one by one, which is several times slower.
		binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(start, start + CHUNK));
	}
	return btoa(binary);
}

/** Without padding, for URLs. */
export const toBase64Url = (bytes: Uint8Array): string =>
	toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/**
 * Of base64 or its form for URLs, with or without padding. Null: it is neither, or not as it would be written, for
 * example because its last character carries bits that belong to no byte.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
	const plain = text
		.replaceAll("-", "+")
		.replaceAll("_", "/")
		.replace(/={1,2}$/, "");
	if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) return null;
	const bytes = Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
	return toBase64(bytes).replaceAll("=", "") === plain ? bytes : null;
}
