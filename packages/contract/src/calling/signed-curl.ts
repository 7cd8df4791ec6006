import type { Signature } from "../webhook-trigger.ts";
import { escapeQuoted, joinLines, quote } from "./shell-text.ts";
import { findSigning, renderSigningText, type SignedText, usesVariable } from "./signings.ts";

interface SignedCall {
	readonly url: string;
	readonly body: string;
	readonly signature: Signature;
	readonly contentType?: string;
	/** Further arguments, quoted for a shell. */
	readonly options?: readonly string[];
}

/**
 * Signs a call in a POSIX shell. The secret is read from the variable SECRET and never appears in the command. Null for
 * Discord, which alone has the private key.
 */
export function buildSignedCurl({
	url,
	body,
	signature,
	contentType = "application/json",
	options = [],
}: SignedCall): string | null {
	const { scheme } = signature;
	if (scheme === "discord") return null;
	const { signed, headers } = findSigning(signature);
	const usesUrl = signed !== null && usesVariable(signed.text, "url");
	const usesTime = scheme === "linear" || headers.some(({ value }) => usesVariable(value, "time"));
	return [
		...(usesTime ? ["TIME=$(date +%s)"] : []),
		`BODY=${scheme === "linear" ? quoteTimedBody(body) : quote(body)}`,
		...(headers.some(({ value }) => usesVariable(value, "id")) ? ['ID="msg_$TIME-$$"'] : []),
		...(usesUrl ? [`URL=${quote(url)}`] : []),
		...(scheme === "twilio" ? [BODY_HASH] : []),
		...(signed === null
			? []
			: [...(scheme === "standard-webhooks" ? STANDARD_KEY : ['KEY="key:$SECRET"']), buildSigning(signed)]),
		joinLines(
			`curl -sS ${usesUrl ? '"$URL"' : quote(url)}`,
			`-H ${quote(`Content-Type: ${contentType}`)}`,
			...headers.map(({ name, value }) => `-H "${escapeQuoted(name)}: ${renderSigningText(value)}"`),
			...options,
			'--data-raw "$BODY"',
		),
	].join("\n");
}

const buildSigning = ({ text, hash, encoding }: SignedText): string =>
	`SIGNATURE=$(printf '%s' "${renderSigningText(text)}" | openssl dgst -${hash} -mac HMAC -macopt "$KEY" ${ENCODED[encoding]})`;

const ENCODED = { hex: "-hex | sed 's/^.* //'", base64: "-binary | openssl base64 -A" } as const;

/** A secret that starts with `whsec_` is base64 after it; any other is used as text. */
const STANDARD_KEY: readonly string[] = [
	'case "$SECRET" in',
	"  whsec_*) KEY=hexkey:$(printf '%s' \"$SECRET\" | sed 's/^whsec_//' | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n') ;;",
	'  *) KEY="key:$SECRET" ;;',
	"esac",
];

/** Twilio signs only the URL of a call whose body is JSON. */
const BODY_HASH = `URL="$URL?bodySHA256=$(printf '%s' "$BODY" | openssl dgst -sha256 ${ENCODED.hex})"`;

/** Linear's time is a field of the body, which is otherwise sent as it is. */
function quoteTimedBody(body: string): string {
	const rest = body.trim().replace(/^\{\s*/, "");
	return `'{"webhookTimestamp":'"$TIME"'000'${quote(rest.startsWith("}") ? rest : `,${rest}`)}`;
}
