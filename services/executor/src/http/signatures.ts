import { fromBase64, fromHex } from "@tripline/contract/bytes";
import type { SignatureScheme } from "@tripline/contract/workflows";
import type { IncomingHeaders } from "@tripline/web/http-message";

interface SignedCall {
	readonly scheme: SignatureScheme;
	readonly secret: string;
	readonly headers: IncomingHeaders;
	/** The raw bytes: parsing and serialising again would change them. */
	readonly body: Uint8Array;
	readonly now: number;
}

interface Signed {
	/** The part of the signed text before the body. */
	readonly prefix: string;
	/** Unix seconds as sent. Null if the scheme has no timestamp, so that a call can be replayed at any time. */
	readonly timestamp: string | null;
	readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

/** Before and after now: the sender's clock may be ahead. */
const WINDOW_MS = 5 * 60_000;
/** While rotating secrets a sender signs with two or three of them; each costs one HMAC over the body. */
const MAX_SIGNATURES = 8;
const UNIX_SECONDS = /^\d{1,12}$/;
const HEX = /^[0-9a-f]{64}$/i;

const encoder = new TextEncoder();

/** True, or the reason for rejecting the call, which reveals nothing that the caller did not send. */
export async function verifySignature(call: SignedCall): Promise<true | string> {
	const signed = readers[call.scheme](call);
	if (typeof signed === "string") return signed;
	if (signed.signatures.length > MAX_SIGNATURES) return `there are more than ${MAX_SIGNATURES} signatures`;
	if (signed.timestamp !== null && Math.abs(Number(signed.timestamp) * 1000 - call.now) > WINDOW_MS)
		return "the timestamp is more than 5 minutes from now";
	const secret = decodeSecret(call);
	if (typeof secret === "string") return secret;
	const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
		"verify",
	]);
	const text = concatBytes(encoder.encode(signed.prefix), call.body);
	for (const signature of signed.signatures) {
		// Compares in constant time.
		if (await crypto.subtle.verify("HMAC", key, signature, text)) return true;
	}
	return "the signature does not match the body";
}

const readers: Record<SignatureScheme, (call: SignedCall) => Signed | string> = {
	"standard-webhooks": standardWebhooks,
	github,
	stripe,
	slack,
	"hmac-sha256": plainHmac,
};

function standardWebhooks({ headers }: SignedCall): Signed | string {
	const id = headers.get("webhook-id");
	const timestamp = headers.get("webhook-timestamp");
	const list = headers.get("webhook-signature");
	if (!id) return missingHeader("webhook-id");
	if (!timestamp) return missingHeader("webhook-timestamp");
	if (!list) return missingHeader("webhook-signature");
	// With a full stop part of the id could pass for the timestamp; a comma means that the header was repeated.
	if (!/^[!-~]{1,255}$/.test(id) || /[.,]/.test(id))
		return "header webhook-id must be 1 to 255 visible ASCII characters without full stops and commas";
	if (!UNIX_SECONDS.test(timestamp)) return notSeconds("webhook-timestamp");
	const signatures: Uint8Array<ArrayBuffer>[] = [];
	for (const part of list.split(" ")) {
		// Other versions, such as the asymmetric v1a, may also be present.
		if (!part.startsWith("v1,")) continue;
		const signature = /^[A-Za-z0-9+/]{43}=$/.test(part.slice(3)) ? fromBase64(part.slice(3)) : null;
		if (signature === null) return "header webhook-signature must be a list of v1,<base64 of 32 bytes>";
		signatures.push(signature);
	}
	if (signatures.length === 0) return "header webhook-signature holds no v1 signature";
	return { prefix: `${id}.${timestamp}.`, timestamp, signatures };
}

/** GitHub sends no timestamp; only its delivery id identifies a replay, and that is not signed. */
function github({ headers }: SignedCall): Signed | string {
	const header = headers.get("x-hub-signature-256");
	if (!header) return missingHeader("x-hub-signature-256");
	const hex = header.startsWith("sha256=") ? header.slice(7) : "";
	if (!HEX.test(hex)) return "header x-hub-signature-256 must be sha256= and 64 hex digits";
	return { prefix: "", timestamp: null, signatures: [fromHex(hex)] };
}

function stripe({ headers }: SignedCall): Signed | string {
	const header = headers.get("stripe-signature");
	if (!header) return missingHeader("stripe-signature");
	const timestamps: string[] = [];
	const signatures: Uint8Array<ArrayBuffer>[] = [];
	for (const part of header.split(",")) {
		const [name, value = ""] = part.trim().split("=", 2);
		if (name === "t") timestamps.push(value);
		// v0 is for test events and proves nothing.
		if (name !== "v1") continue;
		if (!HEX.test(value)) return "header stripe-signature: each v1 must be 64 hex digits";
		signatures.push(fromHex(value));
	}
	const [timestamp = "", ...others] = timestamps;
	if (!UNIX_SECONDS.test(timestamp) || others.length > 0)
		return "header stripe-signature must hold one t, a time in Unix seconds";
	if (signatures.length === 0) return "header stripe-signature holds no v1 signature";
	return { prefix: `${timestamp}.`, timestamp, signatures };
}

function slack({ headers }: SignedCall): Signed | string {
	const timestamp = headers.get("x-slack-request-timestamp");
	const header = headers.get("x-slack-signature");
	if (!timestamp) return missingHeader("x-slack-request-timestamp");
	if (!header) return missingHeader("x-slack-signature");
	if (!UNIX_SECONDS.test(timestamp)) return notSeconds("x-slack-request-timestamp");
	const hex = header.startsWith("v0=") ? header.slice(3) : "";
	if (!HEX.test(hex)) return "header x-slack-signature must be v0= and 64 hex digits";
	return { prefix: `v0:${timestamp}:`, timestamp, signatures: [fromHex(hex)] };
}

/**
 * For senders without a scheme of their own: the HMAC of the body in `x-signature-256` or `x-signature`, as hex or
 * base64, with or without `sha256=`. With `x-signature-timestamp` the signed text is `<timestamp>.<body>` and the call
 * expires; without it a call can be replayed at any time.
 */
function plainHmac({ headers, body }: SignedCall): Signed | string {
	const first = headers.get("x-signature-256");
	const second = headers.get("x-signature");
	if (first !== null && second !== null) return "send x-signature-256 or x-signature, not both";
	const header = first ?? second;
	const name = first !== null ? "x-signature-256" : "x-signature";
	if (!header) return missingHeader("x-signature-256");
	const signature = decodeHexOrBase64(header.startsWith("sha256=") ? header.slice(7) : header);
	if (signature === null) return `header ${name} must be an HMAC-SHA256 as 64 hex digits or as base64`;
	const timestamp = headers.get("x-signature-timestamp");
	if (timestamp !== null && !UNIX_SECONDS.test(timestamp)) return notSeconds("x-signature-timestamp");
	// Otherwise an expired call would pass again with its timestamp moved from the header into the body.
	if (timestamp === null && startsLikeTimestamp(body))
		return "a body that begins with digits and a full stop needs header x-signature-timestamp";
	return { prefix: timestamp === null ? "" : `${timestamp}.`, timestamp, signatures: [signature] };
}

const startsLikeTimestamp = (body: Uint8Array): boolean =>
	/^\d{1,12}\./.test(String.fromCharCode(...body.subarray(0, 13)));

function decodeHexOrBase64(text: string): Uint8Array<ArrayBuffer> | null {
	if (HEX.test(text)) return fromHex(text);
	if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
	return fromBase64(text);
}

/** A Standard Webhooks secret is base64 after `whsec_`; any other secret is used as text. */
function decodeSecret({ scheme, secret }: SignedCall): Uint8Array<ArrayBuffer> | string {
	const isEncoded = scheme === "standard-webhooks" && secret.startsWith("whsec_");
	const bytes = isEncoded ? fromBase64(secret.slice(6)) : encoder.encode(secret);
	if (bytes === null) return "the credential's secret is not base64 after whsec_";
	return bytes.length === 0 ? "the credential's secret is empty" : bytes;
}

function concatBytes(prefix: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
	const text = new Uint8Array(prefix.length + body.length);
	text.set(prefix);
	text.set(body, prefix.length);
	return text;
}

const missingHeader = (header: string): string => `header ${header} is missing`;
const notSeconds = (header: string): string => `header ${header} must be a time in Unix seconds`;
