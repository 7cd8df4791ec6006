import type { Signature, SignatureScheme } from "@tripline/contract/webhook-trigger";

const HEADERS: Readonly<Record<Exclude<SignatureScheme, "custom">, readonly string[]>> = {
	"standard-webhooks": ["webhook-signature"],
	github: ["x-hub-signature-256"],
	stripe: ["stripe-signature"],
	slack: ["x-slack-signature"],
	"hmac-sha256": ["x-signature-256", "x-signature"],
	shopify: ["x-shopify-hmac-sha256"],
	twilio: ["x-twilio-signature"],
	discord: ["x-signature-ed25519"],
	meta: ["x-hub-signature-256"],
	linear: ["linear-signature"],
	zoom: ["x-zm-signature"],
	square: ["x-square-hmacsha256-signature"],
	typeform: ["typeform-signature"],
	gitlab: ["x-gitlab-token"],
	telegram: ["x-telegram-bot-api-secret-token"],
};

/** The headers with a signature or a secret, in lower case. */
export function listSignatureHeaders({ scheme, header }: Signature): readonly string[] {
	if (scheme !== "custom") return HEADERS[scheme];
	return header === undefined ? [] : [header.toLowerCase()];
}
