import type { WorkflowDetail } from "../../../api/types.ts";

export type SignatureScheme = NonNullable<WorkflowDetail["call"]["signature"]>["scheme"];

/** Quotes a text for a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const joinLines = (...parts: readonly string[]): string => parts.join(" \\\n  ");

/** Uses `--data-raw`, so that a body starting with @ is not read as a file name. */
export const buildCurl = (url: string, body: string, key?: string): string =>
	joinLines(
		`curl -sS ${quote(url)}`,
		"-H 'Content-Type: application/json'",
		...(key === undefined ? [] : [`-H ${quote(`Idempotency-Key: ${key}`)}`]),
		`--data-raw ${quote(body)}`,
	);

interface Signing {
	/** printf format of the signed text, and its arguments. */
	readonly format: string;
	readonly args: readonly string[];
	readonly encoding: "hex" | "base64";
	readonly headers: readonly string[];
}

export const SIGNINGS: Readonly<Record<SignatureScheme, Signing>> = {
	"standard-webhooks": {
		format: "%s.%s.%s",
		args: ["$ID", "$NOW", "$BODY"],
		encoding: "base64",
		headers: ["webhook-id: $ID", "webhook-timestamp: $NOW", "webhook-signature: v1,$SIGNATURE"],
	},
	github: {
		format: "%s",
		args: ["$BODY"],
		encoding: "hex",
		headers: ["X-Hub-Signature-256: sha256=$SIGNATURE"],
	},
	stripe: {
		format: "%s.%s",
		args: ["$NOW", "$BODY"],
		encoding: "hex",
		headers: ["Stripe-Signature: t=$NOW,v1=$SIGNATURE"],
	},
	slack: {
		format: "v0:%s:%s",
		args: ["$NOW", "$BODY"],
		encoding: "hex",
		headers: ["X-Slack-Request-Timestamp: $NOW", "X-Slack-Signature: v0=$SIGNATURE"],
	},
	"hmac-sha256": {
		format: "%s.%s",
		args: ["$NOW", "$BODY"],
		encoding: "hex",
		headers: ["X-Signature-Timestamp: $NOW", "X-Signature-256: $SIGNATURE"],
	},
};

const HEX = `openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/^.* //'`;
const BASE64 = `openssl dgst -sha256 -hmac "$SECRET" -binary | base64`;

/** A curl command that signs the call. The secret is read from a shell variable and never appears in it. */
export function buildSignedCurl(url: string, body: string, scheme: SignatureScheme): string {
	const { format, args, encoding, headers } = SIGNINGS[scheme];
	const values = args.map((arg) => `"${arg}"`).join(" ");
	return [
		`BODY=${quote(body)}`,
		...(args.includes("$NOW") ? ["NOW=$(date +%s)"] : []),
		...(args.includes("$ID") ? [`ID="msg_$(date +%s%N)"`] : []),
		`SIGNATURE=$(printf '${format}' ${values} | ${encoding === "hex" ? HEX : BASE64})`,
		joinLines(
			`curl -sS ${quote(url)}`,
			"-H 'Content-Type: application/json'",
			...headers.map((header) => `-H "${header}"`),
			'--data-raw "$BODY"',
		),
	].join("\n");
}

/** A GET call. Its input is the query, so all values are text. */
export function buildQueryCurl(url: string, input: Readonly<Record<string, unknown>>): string {
	const query = new URLSearchParams(
		Object.entries(input).map(([name, value]) => [
			name,
			typeof value === "string" ? value : JSON.stringify(value),
		]),
	).toString();
	return `curl -sS ${quote(query === "" ? url : `${url}?${query}`)}`;
}

const PARTS: Readonly<Record<string, string>> = { $ID: "{id}", $NOW: "{time}", $BODY: "{body}" };

/** The signed text in the notation of the documentation: `v0:{time}:{body}`. */
export function describeSignedText(scheme: SignatureScheme): string {
	const { format, args } = SIGNINGS[scheme];
	return args.reduce((text, arg) => text.replace("%s", PARTS[arg] ?? ""), format);
}
