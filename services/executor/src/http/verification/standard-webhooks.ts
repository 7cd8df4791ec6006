import { fromBase64 } from "@tripline/contract/bytes";
import { notSeconds, parseBase64, parseSeconds } from "./encodings.ts";
import { missingHeader, type Proof, type SignedCall } from "./proof.ts";

export function readStandardWebhooks({ headers, secret, body }: SignedCall): Proof | string {
	const id = headers.get("webhook-id");
	const timestamp = headers.get("webhook-timestamp");
	const list = headers.get("webhook-signature");
	if (!id) return missingHeader("webhook-id");
	if (!timestamp) return missingHeader("webhook-timestamp");
	if (!list) return missingHeader("webhook-signature");
	// With a full stop part of the id could pass for the timestamp; a comma means that the header was repeated.
	if (!/^[!-~]{1,255}$/.test(id) || /[.,]/.test(id))
		return "header webhook-id must be 1 to 255 visible ASCII characters without full stops and commas";
	const time = parseSeconds(timestamp);
	if (time === null) return notSeconds("webhook-timestamp");
	const signatures: Uint8Array<ArrayBuffer>[] = [];
	for (const part of list.split(" ")) {
		// Other versions, such as the asymmetric v1a, may also be present.
		if (!part.startsWith("v1,")) continue;
		const signature = parseBase64(part.slice(3), 32);
		if (signature === null) return "header webhook-signature must be a list of v1,<base64 of 32 bytes>";
		signatures.push(signature);
	}
	if (signatures.length === 0) return "header webhook-signature holds no v1 signature";
	const hmac = { kind: "hmac", texts: [[`${id}.${timestamp}.`, body]], time, signatures } as const;
	if (!secret.startsWith("whsec_")) return hmac;
	// A secret is base64 after this prefix; any other is used as text.
	const key = fromBase64(secret.slice(6));
	return key === null ? "the credential's secret is not base64 after whsec_" : { ...hmac, key };
}
