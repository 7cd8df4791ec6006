import type { SignatureScheme } from "@tripline/contract/webhook-trigger";
import { isSameText } from "./constant-time.ts";
import { readCustom } from "./custom-signature.ts";
import { readHmacSha256 } from "./plain-hmac.ts";
import type { Ed25519Proof, HmacProof, ReadProof, SentTime, SignedCall, SignedText } from "./proof.ts";
import {
	readDiscord,
	readGitHub,
	readGitLab,
	readLinear,
	readShopify,
	readSlack,
	readStripe,
	readTelegram,
	readTypeform,
	readZoom,
} from "./senders.ts";
import { readStandardWebhooks } from "./standard-webhooks.ts";
import { readSquare, readTwilio } from "./url-signatures.ts";

const WINDOW_SECONDS = 5 * 60;
/** While rotating secrets a sender signs with two or three of them; each costs one HMAC over the body. */
const MAX_SIGNATURES = 8;

const readers: Readonly<Record<SignatureScheme, ReadProof>> = {
	"standard-webhooks": readStandardWebhooks,
	github: readGitHub,
	stripe: readStripe,
	slack: readSlack,
	"hmac-sha256": readHmacSha256,
	shopify: readShopify,
	twilio: readTwilio,
	discord: readDiscord,
	meta: readGitHub,
	linear: readLinear,
	zoom: readZoom,
	square: readSquare,
	typeform: readTypeform,
	gitlab: readGitLab,
	telegram: readTelegram,
	custom: readCustom,
};

const encoder = new TextEncoder();

/** True, or the reason for rejecting the call, which reveals nothing that the caller did not send. */
export async function verifySignature(call: SignedCall): Promise<true | string> {
	if (call.secret === "") return EMPTY_SECRET;
	const proof = await readers[call.signature.scheme](call);
	if (typeof proof === "string") return proof;
	if (proof.kind === "token") {
		const isSame = await isSameText(proof.token, call.secret);
		return isSame || `header ${proof.header} does not match the credential's secret`;
	}
	if (proof.time !== null && isOutside(proof.time, call.now)) return describeWindow(proof.time);
	const verdict = await (proof.kind === "hmac" ? verifyHmac(proof, call.secret) : verifyEd25519(proof));
	if (verdict !== true || proof.kind !== "hmac" || proof.readTime === undefined) return verdict;
	const time = proof.readTime();
	if (typeof time === "string") return time;
	return isOutside(time, call.now) ? describeWindow(time) : true;
}

async function verifyHmac(proof: HmacProof, secret: string): Promise<true | string> {
	if (proof.signatures.length > MAX_SIGNATURES) return `there are more than ${MAX_SIGNATURES} signatures`;
	const { hash = "SHA-256", key = encoder.encode(secret) } = proof;
	if (key.length === 0) return EMPTY_SECRET;
	const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["verify"]);
	for (const text of proof.texts.map(joinText)) {
		for (const signature of proof.signatures) {
			// Compares in constant time.
			if (await crypto.subtle.verify("HMAC", imported, signature, text)) return true;
		}
	}
	return NO_MATCH;
}

async function verifyEd25519({ publicKey, signature, text }: Ed25519Proof): Promise<true | string> {
	const algorithm = { name: "Ed25519" };
	try {
		const key = await crypto.subtle.importKey("raw", publicKey, algorithm, false, ["verify"]);
		return (await crypto.subtle.verify(algorithm, key, signature, joinText(text))) || NO_MATCH;
	} catch {
		return "the credential's secret is not a valid public key";
	}
}

const isOutside = ({ at, windowSeconds = WINDOW_SECONDS }: SentTime, now: number): boolean =>
	Math.abs(at - now) > windowSeconds * 1000;

function describeWindow({ windowSeconds = WINDOW_SECONDS }: SentTime): string {
	const window = windowSeconds === WINDOW_SECONDS ? "5 minutes" : `${windowSeconds} seconds`;
	return `the timestamp is more than ${window} from now`;
}

function joinText(parts: SignedText): Uint8Array<ArrayBuffer> {
	const encoded = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
	const text = new Uint8Array(encoded.reduce((length, part) => length + part.length, 0));
	let offset = 0;
	for (const part of encoded) {
		text.set(part, offset);
		offset += part.length;
	}
	return text;
}

const EMPTY_SECRET = "the credential's secret is empty";
const NO_MATCH = "the signature does not match the body";
