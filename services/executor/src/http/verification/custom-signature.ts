import { notTime, parseAnyBase64, parseHex, parseTime } from "./encodings.ts";
import { missingHeader, type Proof, type SentTime, type SignedCall } from "./proof.ts";

const ALGORITHMS = {
	sha1: { hash: "SHA-1", bytes: 20 },
	sha256: { hash: "SHA-256", bytes: 32 },
	sha512: { hash: "SHA-512", bytes: 64 },
} as const;

const DEFAULT_TOLERANCE_SECONDS = 300;

/** The scheme that the workflow itself describes. Saving has checked that its keys fit together. */
export function readCustom({ signature, headers, url, body }: SignedCall): Proof | string {
	const { algorithm = "sha256", encoding = "hex", prefix = "", signed_text = "{body}" } = signature;
	if (signature.header === undefined) return "the workflow's signature names no header";
	const name = signature.header.toLowerCase();
	const header = headers.get(name);
	if (!header) return missingHeader(name);
	const { hash, bytes } = ALGORITHMS[algorithm];
	const value = header.startsWith(prefix) ? header.slice(prefix.length) : "";
	const given = encoding === "hex" ? parseHex(value, bytes) : parseAnyBase64(value, bytes);
	if (given === null)
		return `header ${name} must be ${prefix === "" ? "" : "its prefix and "}${bytes} bytes in ${encoding}`;
	const timestamp = readTimestamp({ signature, headers });
	if (typeof timestamp === "string") return timestamp;
	const text = signed_text.split(/(\{body\}|\{timestamp\}|\{url\})/).map((part) => {
		if (part === "{body}") return body;
		if (part === "{url}") return url;
		return part === "{timestamp}" ? timestamp.text : part;
	});
	return { kind: "hmac", hash, texts: [text], time: timestamp.time, signatures: [given] };
}

function readTimestamp({
	signature: { timestamp_header, tolerance_seconds: windowSeconds = DEFAULT_TOLERANCE_SECONDS },
	headers,
}: Pick<SignedCall, "signature" | "headers">):
	| { readonly text: string; readonly time: SentTime | null }
	| string {
	if (timestamp_header === undefined) return { text: "", time: null };
	const name = timestamp_header.toLowerCase();
	const text = headers.get(name);
	if (!text) return missingHeader(name);
	const time = parseTime(text);
	return time === null ? notTime(name) : { text, time: { ...time, windowSeconds } };
}
