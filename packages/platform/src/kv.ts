/** Workers KV rejects longer keys, so every adapter does. */
const MAX_KEY_BYTES = 512;

export interface Kv {
	get(key: string): Promise<string | null>;
	put(key: string, value: string, options?: { readonly ttlSeconds?: number }): Promise<void>;
	delete(key: string): Promise<void>;
	/** Keys in byte order. `cursor` is null at the end; a page may hold fewer keys than `limit` before the end. */
	list(options: {
		readonly prefix: string;
		readonly limit?: number;
		readonly cursor?: string | null;
	}): Promise<{ readonly keys: readonly string[]; readonly cursor: string | null }>;
}

export const MAX_LIST = 1000;

/** Whether it is a valid key. */
export function isKey(key: string): boolean {
	const bytes = new TextEncoder().encode(key).length;
	return bytes > 0 && bytes <= MAX_KEY_BYTES && key !== "." && key !== "..";
}

export function assertKey(key: string): void {
	if (!isKey(key)) {
		throw new RangeError(`a key must be 1 to ${MAX_KEY_BYTES} bytes, and neither "." nor ".."`);
	}
}

export function assertTtl(ttlSeconds: number | undefined): void {
	if (ttlSeconds !== undefined && !(Number.isInteger(ttlSeconds) && ttlSeconds >= 1)) {
		throw new RangeError("a time to live must be a whole number of seconds, at least 1");
	}
}
