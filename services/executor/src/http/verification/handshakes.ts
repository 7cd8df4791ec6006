import { toBase64, toHex } from "@tripline/contract/bytes";
import { Failed } from "@tripline/contract/failures";
import type { Handshake, HandshakeScheme, Signature } from "@tripline/contract/webhook-trigger";
import type { IncomingHeaders } from "@tripline/web/http-message";
import { listHandshakeMethods } from "../../domain/webhook-settings.ts";
import { isSameText } from "./constant-time.ts";
import { type HandshakeRequest, readHandshakeRequest } from "./handshake-request.ts";
import { verifySignature } from "./signatures.ts";

export interface HandshakeCall {
	readonly handshake: Handshake;
	/** The workflow's. */
	readonly signature: Signature | null;
	readonly request: {
		readonly method: string;
		/** The public URL as the sender called it, with the query. */
		readonly url: string;
		readonly headers: IncomingHeaders;
		readonly body: Uint8Array;
	};
	/** The credential's field `secret`; null if there is no such credential or field. */
	revealSecret(credential: string): Promise<string | null>;
	readonly now: number;
}

export interface HandshakeReply {
	readonly status: 200;
	readonly text: string;
	readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers the call by which a sender checks the URL. Null: the call is another one. Throws if it is a handshake that is
 * forged or whose challenge cannot be answered.
 */
export async function answerHandshake(call: HandshakeCall): Promise<HandshakeReply | null> {
	const { handshake, request } = call;
	if (!listHandshakeMethods(handshake).includes(request.method)) return null;
	return answers[handshake.scheme](call, readHandshakeRequest(request));
}

type Answer = (call: HandshakeCall, request: HandshakeRequest) => Promise<HandshakeReply | null>;

const answers: Readonly<Record<HandshakeScheme, Answer>> = {
	async slack(call, { find }) {
		if (find("body.type") !== "url_verification") return null;
		await checkSigned(call, "slack");
		return replyText(checkChallenge(find("body.challenge")));
	},

	async discord(call, { find }) {
		if (find("body.type") !== 1) return null;
		await checkSigned(call, "discord");
		return replyJson({ type: 1 });
	},

	async zoom(call, { find }) {
		if (find("body.event") !== "endpoint.url_validation") return null;
		// An HMAC of any text for anybody would be a signature for anybody.
		const secret = await checkSigned(call, "zoom");
		const plainToken = checkChallenge(find("body.payload.plainToken"));
		return replyJson({ plainToken, encryptedToken: toHex(await computeHmac(secret, plainToken)) });
	},

	async meta(call, { find }) {
		if (find("query.hub.mode") !== "subscribe") return null;
		await checkToken(find("query.hub.verify_token"), await revealHandshakeSecret(call));
		return replyText(checkChallenge(find("query.hub.challenge")));
	},

	async microsoft(_, { find }) {
		const token = find("query.validationToken");
		return token === undefined ? null : replyText(checkChallenge(token));
	},

	async dropbox(_, { find }) {
		const challenge = find("query.challenge");
		return challenge === undefined ? null : replyText(checkChallenge(challenge));
	},

	async custom(call, { find }) {
		const { challenge: path, token, field, answer = "echo", prefix = "" } = call.handshake;
		const found = path === undefined ? undefined : find(path);
		if (found === undefined) return null;
		const secret = token === undefined && answer === "echo" ? "" : await revealHandshakeSecret(call);
		if (token !== undefined) await checkToken(find(token), secret);
		else await checkOwnSignature(call);
		const challenge = checkChallenge(found);
		const made = answer === "echo" ? challenge : await encodeHmac(secret, challenge, answer);
		return field === undefined ? replyText(prefix + made) : replyJson({ [field]: prefix + made });
	},
};

/** Requires a signature of the sender's scheme, and returns the secret. */
async function checkSigned(call: HandshakeCall, scheme: Signature["scheme"]): Promise<string> {
	const secret = await revealHandshakeSecret(call);
	await checkSignature(call, { scheme }, secret);
	return secret;
}

/** Requires the signature of the workflow's other calls. */
async function checkOwnSignature(call: HandshakeCall): Promise<void> {
	const { signature } = call;
	if (signature === null) throw refuse("the workflow's handshake has neither a token nor a signature");
	await checkSignature(call, signature, await revealSecret(call, signature.credential));
}

async function checkSignature(
	{ request: { url, headers, body }, now }: HandshakeCall,
	signature: Omit<Signature, "credential">,
	secret: string,
): Promise<void> {
	const verdict = await verifySignature({ signature, secret, url, headers, body, now });
	if (verdict !== true) throw new Failed({ kind: "unauthorized", message: `not signed: ${verdict}` });
}

async function checkToken(given: unknown, secret: string): Promise<void> {
	if (typeof given !== "string" || !(await isSameText(given, secret)))
		throw refuse("the token does not match the credential's secret");
}

async function revealHandshakeSecret(call: HandshakeCall): Promise<string> {
	return revealSecret(call, call.handshake.credential ?? call.signature?.credential);
}

async function revealSecret(call: HandshakeCall, credential: string | undefined): Promise<string> {
	const secret = credential === undefined ? null : await call.revealSecret(credential);
	if (secret) return secret;
	throw refuse("the workflow's handshake credential does not exist or has no field 'secret'");
}

const refuse = (reason: string): Failed =>
	new Failed({ kind: "unauthorized", message: `handshake refused: ${reason}` });

const MAX_CHALLENGE_LENGTH = 1024;
const PRINTABLE = /^[ -~]+$/;

/** What is echoed comes from anybody, so it must not be able to be more than a short text. */
function checkChallenge(value: unknown): string {
	const text = typeof value === "number" ? String(value) : value;
	if (typeof text === "string" && text.length <= MAX_CHALLENGE_LENGTH && PRINTABLE.test(text)) return text;
	throw new Failed({
		kind: "bad_request",
		message: `the challenge must be 1 to ${MAX_CHALLENGE_LENGTH} printable ASCII characters`,
	});
}

async function encodeHmac(
	secret: string,
	challenge: string,
	answer: "hmac-sha256-hex" | "hmac-sha256-base64",
): Promise<string> {
	const bytes = await computeHmac(secret, challenge);
	return answer === "hmac-sha256-hex" ? toHex(bytes) : toBase64(bytes);
}

async function computeHmac(secret: string, text: string): Promise<Uint8Array> {
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
	return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

const encoder = new TextEncoder();

/** A browser must neither keep such an answer nor take it for a page. */
const HEADERS = { "x-content-type-options": "nosniff", "cache-control": "no-store" } as const;

const replyText = (text: string): HandshakeReply => ({
	status: 200,
	text,
	headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" },
});

const replyJson = (body: object): HandshakeReply => ({
	status: 200,
	text: JSON.stringify(body),
	headers: { ...HEADERS, "content-type": "application/json; charset=utf-8" },
});
