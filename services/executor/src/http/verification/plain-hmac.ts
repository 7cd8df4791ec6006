import { notSeconds, parseAnyBase64, parseHex, parseSeconds } from "./encodings.ts";
import { missingHeader, type Proof, type SignedCall } from "./proof.ts";

/**
 * For senders without a scheme of their own: the HMAC of the body in `x-signature-256` or `x-signature`, as hex or
 * base64, with or without `sha256=`. With `x-signature-timestamp` the signed text is `<timestamp>.<body>` and the call
 * expires; without it a call can be replayed at any time.
 */
export function readHmacSha256({ headers, body }: SignedCall): Proof | string {
	const first = headers.get("x-signature-256");
	const second = headers.get("x-signature");
	if (first !== null && second !== null) return "send x-signature-256 or x-signature, not both";
	const header = first ?? second;
	const name = first !== null ? "x-signature-256" : "x-signature";
	if (!header) return missingHeader("x-signature-256");
	const value = header.startsWith("sha256=") ? header.slice(7) : header;
	const signature = parseHex(value, 32) ?? parseAnyBase64(value, 32);
	if (signature === null) return `header ${name} must be an HMAC-SHA256 as 64 hex digits or as base64`;
	const timestamp = headers.get("x-signature-timestamp");
	// Otherwise an expired call would pass again with its timestamp moved from the header into the body.
	if (timestamp === null && startsLikeTimestamp(body))
		return "a body that begins with digits and a full stop needs header x-signature-timestamp";
	if (timestamp === null) return { kind: "hmac", texts: [[body]], time: null, signatures: [signature] };
	const time = parseSeconds(timestamp);
	if (time === null) return notSeconds("x-signature-timestamp");
	return { kind: "hmac", texts: [[`${timestamp}.`, body]], time, signatures: [signature] };
}

const startsLikeTimestamp = (body: Uint8Array): boolean =>
	/^\d{1,12}\./.test(String.fromCharCode(...body.subarray(0, 13)));
