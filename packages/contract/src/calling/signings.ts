import type { Signature, SignatureScheme } from "../webhook-trigger.ts";
import { escapeQuoted } from "./shell-text.ts";

/** What varies from call to call. */
export type Variable = "id" | "time" | "body" | "url" | "signature" | "secret";

/** Texts and variables in order, as in `t=`, time, `,v1=`, signature. */
export type SigningText = readonly (string | { readonly variable: Variable })[];

export interface SignedText {
	readonly text: SigningText;
	readonly hash: "sha1" | "sha256" | "sha512";
	readonly encoding: "hex" | "base64";
}

export interface Signing {
	/** Null if the secret itself is sent. */
	readonly signed: SignedText | null;
	readonly headers: readonly { readonly name: string; readonly value: SigningText }[];
	/** The call says when it was made, and expires. */
	readonly isTimed: boolean;
}

const ID = { variable: "id" } as const;
const TIME = { variable: "time" } as const;
const BODY = { variable: "body" } as const;
const URL = { variable: "url" } as const;
const SIGNATURE = { variable: "signature" } as const;
const SECRET = { variable: "secret" } as const;

const hex = (...text: SigningText): SignedText => ({ text, hash: "sha256", encoding: "hex" });
const base64 = (...text: SigningText): SignedText => ({ text, hash: "sha256", encoding: "base64" });
const header = (name: string, ...value: SigningText) => ({ name, value });

const SIGNINGS: Readonly<Record<Exclude<SignatureScheme, "custom">, Signing>> = {
	"standard-webhooks": {
		signed: base64(ID, ".", TIME, ".", BODY),
		headers: [
			header("webhook-id", ID),
			header("webhook-timestamp", TIME),
			header("webhook-signature", "v1,", SIGNATURE),
		],
		isTimed: true,
	},
	github: {
		signed: hex(BODY),
		headers: [header("X-Hub-Signature-256", "sha256=", SIGNATURE)],
		isTimed: false,
	},
	stripe: {
		signed: hex(TIME, ".", BODY),
		headers: [header("Stripe-Signature", "t=", TIME, ",v1=", SIGNATURE)],
		isTimed: true,
	},
	slack: {
		signed: hex("v0:", TIME, ":", BODY),
		headers: [header("X-Slack-Request-Timestamp", TIME), header("X-Slack-Signature", "v0=", SIGNATURE)],
		isTimed: true,
	},
	"hmac-sha256": {
		signed: hex(TIME, ".", BODY),
		headers: [header("X-Signature-Timestamp", TIME), header("X-Signature-256", SIGNATURE)],
		isTimed: true,
	},
	shopify: { signed: base64(BODY), headers: [header("X-Shopify-Hmac-Sha256", SIGNATURE)], isTimed: false },
	twilio: {
		signed: { text: [URL], hash: "sha1", encoding: "base64" },
		headers: [header("X-Twilio-Signature", SIGNATURE)],
		isTimed: false,
	},
	discord: {
		signed: hex(TIME, BODY),
		headers: [header("X-Signature-Timestamp", TIME), header("X-Signature-Ed25519", SIGNATURE)],
		isTimed: true,
	},
	meta: { signed: hex(BODY), headers: [header("X-Hub-Signature-256", "sha256=", SIGNATURE)], isTimed: false },
	linear: { signed: hex(BODY), headers: [header("Linear-Signature", SIGNATURE)], isTimed: true },
	zoom: {
		signed: hex("v0:", TIME, ":", BODY),
		headers: [header("x-zm-request-timestamp", TIME), header("x-zm-signature", "v0=", SIGNATURE)],
		isTimed: true,
	},
	square: {
		signed: base64(URL, BODY),
		headers: [header("x-square-hmacsha256-signature", SIGNATURE)],
		isTimed: false,
	},
	typeform: {
		signed: base64(BODY),
		headers: [header("Typeform-Signature", "sha256=", SIGNATURE)],
		isTimed: false,
	},
	gitlab: { signed: null, headers: [header("X-Gitlab-Token", SECRET)], isTimed: false },
	telegram: { signed: null, headers: [header("X-Telegram-Bot-Api-Secret-Token", SECRET)], isTimed: false },
};

/** How a call is signed, by the scheme or by the keys of a custom one. */
export const findSigning = (signature: Signature): Signing =>
	signature.scheme === "custom" ? describeCustom(signature) : SIGNINGS[signature.scheme];

const CUSTOM_PARTS: Readonly<Record<string, SigningText[number]>> = {
	"{body}": BODY,
	"{timestamp}": TIME,
	"{url}": URL,
};

function describeCustom(signature: Signature): Signing {
	const { algorithm = "sha256", encoding = "hex", prefix = "", timestamp_header } = signature;
	const parts = (signature.signed_text ?? "{body}").split(/(\{(?:body|timestamp|url)\})/);
	return {
		signed: {
			text: parts.filter((part) => part !== "").map((part) => CUSTOM_PARTS[part] ?? part),
			hash: algorithm,
			encoding,
		},
		headers: [
			...(timestamp_header === undefined ? [] : [header(timestamp_header, TIME)]),
			header(signature.header ?? "", prefix, SIGNATURE),
		],
		isTimed: timestamp_header !== undefined,
	};
}

export const listSignatureHeaders = (signature: Signature): string[] =>
	findSigning(signature).headers.map(({ name }) => name);

/** The headers that prove who calls, in lower case; they are not passed on. */
export const listProofHeaders = (signature: Signature): string[] => [
	...findSigning(signature)
		.headers.filter(({ value }) => usesVariable(value, "signature") || usesVariable(value, "secret"))
		.map(({ name }) => name.toLowerCase()),
	// Another name that this scheme takes.
	...(signature.scheme === "hmac-sha256" ? ["x-signature"] : []),
];

export const usesVariable = (text: SigningText, variable: Variable): boolean =>
	text.some((part) => typeof part !== "string" && part.variable === variable);

/** The text of one call. */
export const fillSigningText = (text: SigningText, values: Readonly<Record<Variable, string>>): string =>
	text.map((part) => (typeof part === "string" ? part : values[part.variable])).join("");

/** In the notation of the documentation, `v0:{time}:{body}`. */
export const describeSigningText = (text: SigningText): string =>
	text.map((part) => (typeof part === "string" ? part : `{${part.variable}}`)).join("");

/** For double quotes of a shell, with variables in capitals: `v0:$TIME:$BODY`. */
export const renderSigningText = (text: SigningText): string =>
	text
		.map((part, at) => {
			if (typeof part === "string") return escapeQuoted(part);
			const next = text[at + 1];
			const name = part.variable.toUpperCase();
			return typeof next === "string" && /^\w/.test(next) ? `\${${name}}` : `$${name}`;
		})
		.join("");
