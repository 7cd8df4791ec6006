import { toBase64 } from "@tripline/contract/bytes";
import type { OpenFile } from "../../open-file.ts";

/** Of a line of a message, as MIME requires; 57 bytes become 76 characters. */
const LINE_BYTES = 57;
const LINE_LENGTH = 76;

/** The file as base64, encoded while it is read: it may be too large for memory. */
export function encodeFile(file: OpenFile, lines: "lines" | "one line"): OpenFile {
	const isFolded = lines === "lines";
	const length = 4 * Math.ceil(file.value.size / 3);
	const breaks = isFolded ? Math.max(0, Math.ceil(length / LINE_LENGTH) - 1) : 0;
	return {
		value: { ...file.value, size: length + 2 * breaks },
		async *read() {
			const encoder = new TextEncoder();
			const unit = isFolded ? LINE_BYTES : 3;
			let rest = new Uint8Array();
			let isFirst = true;
			for await (const chunk of file.read()) {
				const bytes = joinBytes(rest, chunk);
				const whole = bytes.length - (bytes.length % unit);
				rest = bytes.slice(whole);
				if (whole === 0) continue;
				yield encoder.encode(encode(bytes.subarray(0, whole), isFolded, isFirst));
				isFirst = false;
			}
			if (rest.length > 0) yield encoder.encode(encode(rest, isFolded, isFirst));
		},
	};
}

export const foldBase64 = (bytes: Uint8Array): string => encode(bytes, true, true);

function encode(bytes: Uint8Array, isFolded: boolean, isFirst: boolean): string {
	const text = toBase64(bytes);
	if (!isFolded) return text;
	const lines: string[] = isFirst ? [] : [""];
	for (let at = 0; at < text.length; at += LINE_LENGTH) lines.push(text.slice(at, at + LINE_LENGTH));
	return lines.join("\r\n");
}

function joinBytes(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
	const joined = new Uint8Array(one.length + other.length);
	joined.set(one);
	joined.set(other, one.length);
	return joined;
}
