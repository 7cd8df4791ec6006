import { toBase64Url, toHex } from "./bytes.ts";

/** The prefix of every UUIDv7 of that time (Unix milliseconds). */
export function uuidTimePrefix(time: number): string {
	const hex = time.toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** UUIDv7 (RFC 9562): 48 bits of milliseconds, then randomness. Ids sort roughly by time; `seq` is the exact order. */
export function uuidv7(now: number): string {
	if (now !== lastTime) {
		lastTime = now;
		timePart = uuidTimePrefix(now);
	}
	const at = takeRandom();
	const pair = (offset: number) => hexPairs[pool[at + offset] as number] as string;
	const version = hexPairs[0x70 | ((pool[at] as number) & 0x0f)];
	const variant = hexPairs[0x80 | ((pool[at + 2] as number) & 0x3f)];
	const tail = pair(4) + pair(5) + pair(6) + pair(7) + pair(8) + pair(9);
	return `${timePart}-${version}${pair(1)}-${variant}${pair(3)}-${tail}`;
}

/** `bytes` random bytes as base64url text without padding. */
export function randomToken(bytes: number): string {
	return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}

export async function sha256Hex(text: string): Promise<string> {
	return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

let lastTime = -1;
let timePart = "";

// Random bytes are fetched for many ids at once: a system call per id would cost more than the id itself.
const BYTES_PER_ID = 10;
const pool = new Uint8Array(BYTES_PER_ID * 256);
let used = pool.length;

/** The offset of the next id's bytes in the pool. */
function takeRandom(): number {
	if (used === pool.length) {
		crypto.getRandomValues(pool);
		used = 0;
	}
	used += BYTES_PER_ID;
	return used - BYTES_PER_ID;
}
