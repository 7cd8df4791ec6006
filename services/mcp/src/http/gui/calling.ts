import type { GuiWorkflow } from "@tripline/contract/gui";
import type { Options, SignatureScheme } from "@tripline/contract/workflows";
import type * as z from "zod";

type CallInstructions = z.output<typeof GuiWorkflow>["call"];

/** How to call a workflow, from its webhook URL and the options of its document. */
export function describeCall(webhook_url: string, options: Options = {}): CallInstructions {
	const { signature, query } = options;
	return {
		webhook_url,
		query_url: query === true ? toQueryUrl(webhook_url) : null,
		signature:
			signature === undefined
				? null
				: { ...signature, headers: Object.keys(SIGNATURE_FORMATS[signature.scheme].headers) },
		idempotency_header: signature?.scheme === "standard-webhooks" ? "webhook-id" : "Idempotency-Key",
		curl:
			signature === undefined ? buildPlainCurl(webhook_url) : buildSignedCurl(webhook_url, signature.scheme),
	};
}

/** Both URLs end with the namespace and the name, escaped in the same way. */
const toQueryUrl = (webhookUrl: string): string =>
	webhookUrl.replace(/\/webhooks\/named\/([^/]+\/[^/]+)\/trigger$/, "/q/$1");

const buildPlainCurl = (url: string): string => buildCurl(url, ["-d '{}'"]);

interface SignatureFormat {
	/** The part of the signed text before the body. */
	readonly prefix: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly encoding: "hex" | "base64";
}

/** As shell text with the variables ID, TIME, BODY and SIGNATURE. */
const SIGNATURE_FORMATS: Readonly<Record<SignatureScheme, SignatureFormat>> = {
	"standard-webhooks": {
		prefix: "$ID.$TIME.",
		headers: { "webhook-id": "$ID", "webhook-timestamp": "$TIME", "webhook-signature": "v1,$SIGNATURE" },
		encoding: "base64",
	},
	github: { prefix: "", headers: { "X-Hub-Signature-256": "sha256=$SIGNATURE" }, encoding: "hex" },
	stripe: { prefix: "$TIME.", headers: { "Stripe-Signature": "t=$TIME,v1=$SIGNATURE" }, encoding: "hex" },
	slack: {
		prefix: "v0:$TIME:",
		headers: { "X-Slack-Request-Timestamp": "$TIME", "X-Slack-Signature": "v0=$SIGNATURE" },
		encoding: "hex",
	},
	"hmac-sha256": {
		prefix: "$TIME.",
		headers: { "X-Signature-Timestamp": "$TIME", "X-Signature-256": "$SIGNATURE" },
		encoding: "hex",
	},
};

function buildSignedCurl(url: string, scheme: SignatureScheme): string {
	const { prefix, headers, encoding } = SIGNATURE_FORMATS[scheme];
	const given = Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`);
	return [
		"BODY='{}'",
		...(prefix.includes("$TIME") ? ["TIME=$(date +%s)"] : []),
		...(prefix.includes("$ID") ? ['ID="msg_$TIME-$$"'] : []),
		...(scheme === "standard-webhooks" ? STANDARD_KEY : ['KEY="key:$SECRET"']),
		`SIGNATURE=$(printf '%s' "${prefix}$BODY" | openssl dgst -sha256 -mac HMAC -macopt "$KEY" ${ENCODED[encoding]})`,
		buildCurl(url, [...given, '-d "$BODY"']),
	].join("\n");
}

/** A secret that starts with `whsec_` is base64 after it; any other is used as text. */
const STANDARD_KEY: readonly string[] = [
	'case "$SECRET" in',
	"  whsec_*) KEY=hexkey:$(printf '%s' \"$SECRET\" | sed 's/^whsec_//' | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n') ;;",
	'  *) KEY="key:$SECRET" ;;',
	"esac",
];

const ENCODED = { hex: "-hex | sed 's/^.* //'", base64: "-binary | openssl base64 -A" } as const;

/** A single quote is the only character of a URL that needs escaping within single quotes. */
const buildCurl = (url: string, rest: readonly string[]): string =>
	[`curl -sS '${url.replaceAll("'", "%27")}'`, "-H 'Content-Type: application/json'", ...rest].join(
		" \\\n  ",
	);
