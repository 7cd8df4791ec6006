import { createHash, createHmac } from "node:crypto";
import { fillSigningText, findSigning, type Variable } from "@tripline/contract/calling/signings";
import type { Signature } from "@tripline/contract/webhook-trigger";

export interface Unsigned {
	readonly url: string;
	readonly body: string;
	/** Fields of a form; null for any other body. */
	readonly fields: readonly (readonly [name: string, value: string])[] | null;
}

interface Signed {
	readonly url: string;
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** Signs a call as its sender does. Null if only the sender can. */
export function signCall(call: Unsigned, signature: Signature, secret: string, now: number): Signed | null {
	const { scheme } = signature;
	if (scheme === "discord") return null;
	const { signed, headers } = findSigning(signature);
	const { url, body } = prepare(call, scheme, now);
	const values: Record<Variable, string> = {
		id: `msg_${now}`,
		time: String(Math.floor(now / 1000)),
		body,
		url,
		secret,
		signature: "",
	};
	if (signed !== null) {
		const text = fillSigningText(signed.text, values);
		values.signature = createHmac(signed.hash, toKey(scheme, secret))
			.update(scheme === "twilio" ? text + joinFields(call) : text)
			.digest(signed.encoding);
	}
	return {
		url,
		body,
		headers: Object.fromEntries(headers.map(({ name, value }) => [name, fillSigningText(value, values)])),
	};
}

/** Linear's time is a field of the body; Twilio signs the hash of a body that is not a form in the URL. */
function prepare({ url, body, fields }: Unsigned, scheme: Signature["scheme"], now: number) {
	if (scheme === "linear" && fields === null)
		return { url, body: JSON.stringify({ webhookTimestamp: now, ...JSON.parse(body) }) };
	if (scheme !== "twilio" || fields !== null) return { url, body };
	const hashed = new URL(url);
	hashed.searchParams.set("bodySHA256", createHash("sha256").update(body).digest("hex"));
	return { url: hashed.href, body };
}

/** The names of a form in order, each followed by its distinct values in order, without separators. */
function joinFields({ fields }: Unsigned): string {
	const values = Map.groupBy(fields ?? [], ([name]) => name);
	return [...values.keys()]
		.sort()
		.flatMap((name) =>
			[...new Set(values.get(name)?.map(([, value]) => value))].sort().map((value) => name + value),
		)
		.join("");
}

/** A secret that starts with `whsec_` is base64 after it; any other is used as text. */
const toKey = (scheme: Signature["scheme"], secret: string): Buffer =>
	scheme === "standard-webhooks" && secret.startsWith("whsec_")
		? Buffer.from(secret.slice("whsec_".length), "base64")
		: Buffer.from(secret);
