import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { Signature, SignatureScheme } from "@tripline/contract/webhook-trigger";

/** Signed calls as the senders make them, without the code that verifies them. */

interface Message {
	readonly secret: string;
	readonly url: string;
	readonly body: string;
	/** Unix seconds. */
	readonly seconds: string;
}

export interface Sent {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** The settings of the scheme `custom` that `signCall` follows. */
const CUSTOM: Omit<Signature, "scheme" | "credential"> = {
	header: "X-Acme-Signature",
	algorithm: "sha512",
	encoding: "base64",
	prefix: "v1=",
	signed_text: "{timestamp}|{url}|{body}",
	timestamp_header: "X-Acme-Time",
	tolerance_seconds: 120,
};

/** How old a call may be; absent if the scheme has no time. */
export const WINDOW_SECONDS: Readonly<Partial<Record<SignatureScheme, number>>> = {
	"standard-webhooks": 300,
	stripe: 300,
	slack: 300,
	"hmac-sha256": 300,
	discord: 300,
	linear: 60,
	zoom: 300,
	custom: 120,
};

/** Schemes that prove only that the sender knows the secret. */
export const TOKEN_SCHEMES: readonly SignatureScheme[] = ["gitlab", "telegram"];

export const describeSignature = (scheme: SignatureScheme): Omit<Signature, "credential"> => ({
	scheme,
	...(scheme === "custom" && CUSTOM),
});

/** The field `secret` of the credential that verifies calls signed with this secret. */
export const toStoredSecret = (scheme: SignatureScheme, secret: string): string =>
	scheme === "discord" ? exportPublicKey(secret) : secret;

export const signCall = (scheme: SignatureScheme, message: Message): Sent => ({
	url: message.url,
	body: message.body,
	headers: {},
	...signers[scheme](message),
});

const hmac = (secret: string, text: string, hash = "sha256") => createHmac(hash, secret).update(text);
const hex = (secret: string, text: string) => hmac(secret, text).digest("hex");
const base64 = (secret: string, text: string) => hmac(secret, text).digest("base64");

const signers: Readonly<Record<SignatureScheme, (message: Message) => Partial<Sent>>> = {
	"standard-webhooks": ({ secret, body, seconds }) => ({
		headers: {
			"webhook-id": `msg_${seconds}`,
			"webhook-timestamp": seconds,
			"webhook-signature": `v1,${base64(secret, `msg_${seconds}.${seconds}.${body}`)}`,
		},
	}),
	github: ({ secret, body }) => ({ headers: { "x-hub-signature-256": `sha256=${hex(secret, body)}` } }),
	stripe: ({ secret, body, seconds }) => ({
		headers: {
			"stripe-signature": `t=${seconds},v1=${hex(secret, `${seconds}.${body}`)},v0=${"0".repeat(64)}`,
		},
	}),
	slack: ({ secret, body, seconds }) => ({
		headers: {
			"x-slack-request-timestamp": seconds,
			"x-slack-signature": `v0=${hex(secret, `v0:${seconds}:${body}`)}`,
		},
	}),
	"hmac-sha256": ({ secret, body, seconds }) => ({
		headers: {
			"x-signature-timestamp": seconds,
			"x-signature-256": `sha256=${hex(secret, `${seconds}.${body}`)}`,
		},
	}),
	shopify: ({ secret, body }) => ({ headers: { "x-shopify-hmac-sha256": base64(secret, body) } }),
	twilio({ secret, body, url }) {
		const hash = createHash("sha256").update(body).digest("hex");
		const hashed = `${url}${url.includes("?") ? "&" : "?"}bodySHA256=${hash}`;
		const signature = hmac(secret, hashed, "sha1").digest("base64");
		return { url: hashed, headers: { "x-twilio-signature": signature } };
	},
	discord: ({ secret, body, seconds }) => ({
		headers: {
			"x-signature-timestamp": seconds,
			"x-signature-ed25519": sign(null, Buffer.from(seconds + body), importKey(secret)).toString("hex"),
		},
	}),
	meta: ({ secret, body }) => ({ headers: { "x-hub-signature-256": `sha256=${hex(secret, body)}` } }),
	linear({ secret, body, seconds }) {
		const timed = body.replace(/^\{/, `{"webhookTimestamp": ${seconds}000, `);
		return { body: timed, headers: { "linear-signature": hex(secret, timed) } };
	},
	zoom: ({ secret, body, seconds }) => ({
		headers: {
			"x-zm-request-timestamp": seconds,
			"x-zm-signature": `v0=${hex(secret, `v0:${seconds}:${body}`)}`,
		},
	}),
	square: ({ secret, body, url }) => ({
		headers: { "x-square-hmacsha256-signature": base64(secret, url + body) },
	}),
	typeform: ({ secret, body }) => ({ headers: { "typeform-signature": `sha256=${base64(secret, body)}` } }),
	gitlab: ({ secret }) => ({ headers: { "x-gitlab-token": secret } }),
	telegram: ({ secret }) => ({ headers: { "x-telegram-bot-api-secret-token": secret } }),
	custom: ({ secret, body, url, seconds }) => ({
		headers: {
			"x-acme-time": seconds,
			"x-acme-signature": `v1=${hmac(secret, `${seconds}|${url}|${body}`, "sha512").digest("base64")}`,
		},
	}),
};

/** An Ed25519 key whose seed is the hash of the secret. */
const importKey = (secret: string) =>
	createPrivateKey({
		key: Buffer.concat([
			Buffer.from("302e020100300506032b657004220420", "hex"),
			createHash("sha256").update(secret).digest(),
		]),
		format: "der",
		type: "pkcs8",
	});

const exportPublicKey = (secret: string): string =>
	createPublicKey(importKey(secret)).export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
