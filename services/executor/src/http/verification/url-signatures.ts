import { toHex } from "@tripline/contract/bytes";
import { parseBase64 } from "./encodings.ts";
import { missingHeader, type Proof, type SignedCall } from "./proof.ts";

/** Senders that sign the URL which they call, so that a call cannot be moved to another workflow. */

export function readSquare({ headers, url, body }: SignedCall): Proof | string {
	const name = "x-square-hmacsha256-signature";
	const header = headers.get(name);
	if (!header) return missingHeader(name);
	const signature = parseBase64(header, 32);
	if (signature === null) return `header ${name} must be 32 bytes in base64`;
	return { kind: "hmac", texts: [[url, body]], time: null, signatures: [signature] };
}

/** Twilio sends some tens of parameters. */
const MAX_PARAMETERS = 1_000;
const FORM = /^application\/x-www-form-urlencoded(?:\s*;|\s*$)/i;

/** The parameters of a form are part of the signed text; the hash of any other body is part of the signed URL. */
export async function readTwilio({ headers, url, body }: SignedCall): Promise<Proof | string> {
	const name = "x-twilio-signature";
	const header = headers.get(name);
	if (!header) return missingHeader(name);
	const signature = parseBase64(header, 20);
	if (signature === null) return `header ${name} must be 20 bytes in base64`;
	const sort = await readTwilioBody(headers.get("content-type"), url, body);
	if (typeof sort === "string") return sort;
	const texts = listPortForms(url).map((each) => [each, sort.parameters]);
	return { kind: "hmac", hash: "SHA-1", texts, time: null, signatures: [signature] };
}

async function readTwilioBody(
	contentType: string | null,
	url: string,
	body: Uint8Array,
): Promise<{ readonly parameters: string } | string> {
	const given = new URL(url).searchParams.get("bodySHA256");
	if (given === null) return readParameters(contentType, body);
	const hash = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(body))));
	// No secret is compared here: anyone can compute the hash of the body.
	if (given.toLowerCase() !== hash) return "the body does not match bodySHA256 in the URL";
	return { parameters: "" };
}

/** Names in order, each followed by its distinct values in order, without separators. */
function readParameters(
	contentType: string | null,
	body: Uint8Array,
): { readonly parameters: string } | string {
	if (body.length === 0) return { parameters: "" };
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
	// Without separators a form could be written whose signed text is the same and which is read as JSON.
	if (!FORM.test(contentType ?? "") || /^\s*[[{"]/.test(text))
		return "the signature does not match the body: a body that is not a form needs bodySHA256 in the URL";
	if (text.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
		return `the form has more than ${MAX_PARAMETERS} parameters`;
	const values = new Map<string, Set<string>>();
	for (const [name, value] of new URLSearchParams(text)) {
		const known = values.get(name);
		if (known === undefined) values.set(name, new Set([value]));
		else known.add(value);
	}
	const names = [...values.keys()].sort();
	const listValues = (name: string) => [...(values.get(name) ?? [])].sort();
	return {
		parameters: names.flatMap((name) => listValues(name).map((value) => name + value)).join(""),
	};
}

const URL_PARTS = /^(https?):\/\/([^/?#]*?)(:\d+)?([/?#].*)?$/s;

/** Twilio's products differ in whether they sign the port. */
function listPortForms(url: string): readonly string[] {
	const [, scheme, host, port, rest = ""] = URL_PARTS.exec(url) ?? [];
	if (scheme === undefined) return [url];
	const withPort = port ?? (scheme === "https" ? ":443" : ":80");
	return [`${scheme}://${host}${rest}`, `${scheme}://${host}${withPort}${rest}`];
}
