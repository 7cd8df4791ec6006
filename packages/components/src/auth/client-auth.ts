import { toBase64 } from "@tripline/contract/bytes";

interface AuthenticatedClient {
	readonly form: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	/** Values derived from the secret that must be redacted. */
	readonly secrets: readonly string[];
}

/** How a client proves at a token endpoint who it is (RFC 6749, section 2.3.1). A client without a secret is public. */
export function authenticateClient({
	id,
	secret,
	by,
}: {
	readonly id: string;
	readonly secret: string;
	readonly by: "basic" | "body" | "none";
}): AuthenticatedClient {
	if (by === "none" || secret === "") return { form: { client_id: id }, secrets: [] };
	if (by === "body") return { form: { client_id: id, client_secret: secret }, secrets: [] };
	// Both are form-encoded before they are joined.
	const encoded = toBase64(new TextEncoder().encode(`${encodeFormValue(id)}:${encodeFormValue(secret)}`));
	return { form: {}, headers: { authorization: `Basic ${encoded}` }, secrets: [encoded] };
}

const encodeFormValue = (value: string) => new URLSearchParams([["", value]]).toString().slice(1);
