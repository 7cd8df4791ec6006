import type { TenantExecutor } from "@tripline/executor/client";

/** Reads at most this many bytes from the beginning of a file. Null if it is gone. */
export async function readBeginning(
	{ files }: Pick<TenantExecutor, "files">,
	id: string,
	maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
	const stream = await files.content(id);
	if (stream === null) return null;
	const bytes = new Uint8Array(maxBytes);
	let length = 0;
	// Leaving the loop cancels the stream, so that the rest is not sent.
	for await (const chunk of stream) {
		const taken = chunk.subarray(0, maxBytes - length);
		bytes.set(taken, length);
		length += taken.length;
		if (length === maxBytes) break;
	}
	return bytes.slice(0, length);
}

/** Null if it is not text in UTF-8. The last character may be cut off where the bytes are only a beginning. */
export function decodeText(bytes: Uint8Array<ArrayBuffer>, isWhole: boolean): string | null {
	try {
		const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
		return text.includes("\0") ? null : text;
	} catch {
		return null;
	}
}
