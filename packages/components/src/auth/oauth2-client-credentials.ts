import type { AuthRecipe } from "@tripline/contract/recipes";
import { authenticateClient } from "./client-auth.ts";
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
	const client = authenticateClient({ id, secret, by: inject.client_auth });
	return { ...client, url: buildTokenUrl(credential, inject.token_url), form: { ...form, ...client.form } };
}
