import type { ByteRange } from "@tripline/platform/blobs";

/**
 * The single range that a request asks for (RFC 9110, section 14.2). Null: the whole content, also for what is malformed
 * or asks for several ranges, which a server may ignore.
 */
export function parseRange(
	header: string | null,
	size: number,
): Required<ByteRange> | "unsatisfiable" | null {
	const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
	if (first === "" && last === "") return null;
	if (first === "") {
		const start = Math.max(0, size - Number(last));
		return last === "" || Number(last) === 0 || size === 0 ? "unsatisfiable" : { start, end: size };
	}
	const start = Number(first);
	const end = last === "" ? size : Math.min(Number(last) + 1, size);
	if (last !== "" && Number(last) < start) return null;
	return start >= size ? "unsatisfiable" : { start, end };
}
