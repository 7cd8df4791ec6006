import { toBase64 } from "@tripline/contract/bytes";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { type Credential, fillFields, fillRequired } from "./credential.ts";
import { buildTokenUrl, type TokenRequest } from "./token-endpoint.ts";

type Inject = Extract<AuthRecipe, { type: "oauth2_client_credentials" }>["inject"];

/** RFC 6749, section 4.4. */
export function buildClientCredentialsRequest(credential: Credential, inject: Inject): TokenRequest {
	const id = fillRequired("client id", inject.client_id, credential);
	const secret = fillRequired("client secret", inject.client_secret, credential);
	const form: Record<string, string> = { grant_type: "client_credentials" };
	for (const name of ["scope", "audience"] as const) {
		const value = fillFields(inject[name] ?? "", credential);
		if (value !== "") form[name] = value;
	}
	const url = buildTokenUrl(credential, inject.token_url);
	if (inject.client_auth === "body") {
		return { url, form: { ...form, client_id: id, client_secret: secret }, secrets: [] };
	}
	// Section 2.3.1: both are form-encoded before they are joined.
	const encoded = toBase64(new TextEncoder().encode(`${encodeFormValue(id)}:${encodeFormValue(secret)}`));
	return { url, form, headers: { authorization: `Basic ${encoded}` }, secrets: [encoded] };
}

const encodeFormValue = (value: string) => new URLSearchParams([["", value]]).toString().slice(1);
