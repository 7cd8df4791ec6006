import { parseMembers } from "@tripline/contract/json";
import { notSeconds, notTime, parseBase64, parseHex, parseSeconds, parseTime } from "./encodings.ts";
import { missingHeader, type Proof, type ReadProof, type SentTime, type SignedCall } from "./proof.ts";

/** Also for Meta, which copied it. GitHub sends no timestamp; only its delivery id identifies a replay, and that is not signed. */
export const readGitHub: ReadProof = (call) => readOfBody(call, "x-hub-signature-256", "sha256=", "hex");

export const readShopify: ReadProof = (call) => readOfBody(call, "x-shopify-hmac-sha256", "", "base64");

export const readTypeform: ReadProof = (call) => readOfBody(call, "typeform-signature", "sha256=", "base64");

/** Linear's time is in the body, and Linear asks for a window of one minute. */
export function readLinear(call: SignedCall): Proof | string {
	const proof = readOfBody(call, "linear-signature", "", "hex");
	if (typeof proof === "string" || proof.kind !== "hmac") return proof;
	return { ...proof, readTime: () => readLinearTime(call.body) };
}

const LINEAR_WINDOW_SECONDS = 60;
const decoder = new TextDecoder("utf-8", { fatal: true });

function readLinearTime(body: Uint8Array): SentTime | string {
	try {
		const { webhookTimestamp } = parseMembers(decoder.decode(body), ["webhookTimestamp"]);
		if (Number.isSafeInteger(webhookTimestamp))
			return { at: webhookTimestamp as number, windowSeconds: LINEAR_WINDOW_SECONDS };
	} catch {
		// The body is not JSON.
	}
	return "the body must be a JSON object with webhookTimestamp, a time in Unix milliseconds";
}

export function readStripe({ headers, body }: SignedCall): Proof | string {
	const header = headers.get("stripe-signature");
	if (!header) return missingHeader("stripe-signature");
	const timestamps: string[] = [];
	const signatures: Uint8Array<ArrayBuffer>[] = [];
	for (const part of header.split(",")) {
		const [name, value = ""] = part.trim().split("=", 2);
		if (name === "t") timestamps.push(value);
		// v0 is for test events and proves nothing.
		if (name !== "v1") continue;
		const signature = parseHex(value, 32);
		if (signature === null) return "header stripe-signature: each v1 must be 64 hex digits";
		signatures.push(signature);
	}
	const [timestamp = "", ...others] = timestamps;
	const time = parseSeconds(timestamp);
	if (time === null || others.length > 0)
		return "header stripe-signature must hold one t, a time in Unix seconds";
	if (signatures.length === 0) return "header stripe-signature holds no v1 signature";
	return { kind: "hmac", texts: [[`${timestamp}.`, body]], time, signatures };
}

export const readSlack: ReadProof = (call) =>
	readVersioned(call, "x-slack-request-timestamp", "x-slack-signature", parseSeconds, notSeconds);

export const readZoom: ReadProof = (call) =>
	readVersioned(call, "x-zm-request-timestamp", "x-zm-signature", parseTime, notTime);

/** Ed25519: the credential's secret is the application's public key, which only Discord can sign for. */
export function readDiscord({ headers, secret, body }: SignedCall): Proof | string {
	const timestamp = headers.get("x-signature-timestamp");
	const header = headers.get("x-signature-ed25519");
	if (!timestamp) return missingHeader("x-signature-timestamp");
	if (!header) return missingHeader("x-signature-ed25519");
	const time = parseSeconds(timestamp);
	if (time === null) return notSeconds("x-signature-timestamp");
	const signature = parseHex(header, 64);
	if (signature === null) return "header x-signature-ed25519 must be 128 hex digits";
	const publicKey = parseHex(secret, 32);
	if (publicKey === null)
		return "the credential's secret must be the application's public key, 64 hex digits";
	return { kind: "ed25519", publicKey, text: [timestamp, body], time, signature };
}

/** The token says nothing about the body or the time. GitLab's signing tokens follow Standard Webhooks. */
export const readGitLab: ReadProof = (call) => readToken(call, "x-gitlab-token");

export const readTelegram: ReadProof = (call) => readToken(call, "x-telegram-bot-api-secret-token");

/** An HMAC-SHA256 of the body alone. */
function readOfBody(
	{ headers, body }: SignedCall,
	name: string,
	prefix: string,
	encoding: "hex" | "base64",
): Proof | string {
	const header = headers.get(name);
	if (!header) return missingHeader(name);
	const value = header.startsWith(prefix) ? header.slice(prefix.length) : "";
	const signature = encoding === "hex" ? parseHex(value, 32) : parseBase64(value, 32);
	const form = encoding === "hex" ? "64 hex digits" : "32 bytes in base64";
	if (signature === null) return `header ${name} must be ${prefix === "" ? "" : `${prefix} and `}${form}`;
	return { kind: "hmac", texts: [[body]], time: null, signatures: [signature] };
}

/** `v0=` and the HMAC-SHA256 of `v0:<timestamp>:<body>`. */
function readVersioned(
	{ headers, body }: SignedCall,
	timestampName: string,
	name: string,
	parse: (text: string) => SentTime | null,
	describeInvalid: (header: string) => string,
): Proof | string {
	const timestamp = headers.get(timestampName);
	const header = headers.get(name);
	if (!timestamp) return missingHeader(timestampName);
	if (!header) return missingHeader(name);
	const time = parse(timestamp);
	if (time === null) return describeInvalid(timestampName);
	const signature = header.startsWith("v0=") ? parseHex(header.slice(3), 32) : null;
	if (signature === null) return `header ${name} must be v0= and 64 hex digits`;
	return { kind: "hmac", texts: [[`v0:${timestamp}:`, body]], time, signatures: [signature] };
}

function readToken({ headers }: SignedCall, header: string): Proof | string {
	const token = headers.get(header);
	return token ? { kind: "token", header, token } : missingHeader(header);
}
