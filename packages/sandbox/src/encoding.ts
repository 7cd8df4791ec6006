/** Parts of the WebAssembly binary format. */
export type Bytes = readonly number[] | Uint8Array;

/** Unsigned LEB128. */
export function encodeNumber(value: number): number[] {
	const bytes: number[] = [];
	let rest = value;
	for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
	return [...bytes, rest];
}

export function concatBytes(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** Prefixed with its length. */
export const prefixLength = (body: Uint8Array): Uint8Array<ArrayBuffer> =>
	concatBytes([encodeNumber(body.length), body]);
