const decoder = new TextDecoder("utf-8", { fatal: true });

/** Null: the bytes are not a JSON object. */
export function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
	try {
		const value: unknown = JSON.parse(decoder.decode(bytes));
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		return isObject ? (value as Record<string, unknown>) : null;
	} catch {
		return null;
	}
}
