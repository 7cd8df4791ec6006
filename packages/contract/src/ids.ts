/** UUIDv7 (RFC 9562): 48 bits of milliseconds, then randomness. Ids sort roughly by time; `seq` is the order. */
export function uuidv7(now: number): string {
	const hex = uuidHex(now);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `bytes` random bytes as base64url text without padding. */
export function randomToken(bytes: number): string {
	return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

function base64url(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
}

export async function sha256Hex(text: string): Promise<string> {
	return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// One call for many ids: a system call per id costs more than the id.
const pool = new Uint8Array(10 * 256);
let used = pool.length;

function uuidHex(now: number): string {
	if (used === pool.length) {
		crypto.getRandomValues(pool);
		used = 0;
	}
	const random = pool.subarray(used, used + 10);
	used += 10;
	random[0] = 0x70 | ((random[0] as number) & 0x0f);
	random[2] = 0x80 | ((random[2] as number) & 0x3f);
	return now.toString(16).padStart(12, "0") + hexOf(random);
}

function hexOf(bytes: Uint8Array): string {
	let hex = "";
	for (const byte of bytes) hex += hexPairs[byte];
	return hex;
}
