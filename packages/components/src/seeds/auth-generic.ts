import type { AuthRecipe } from "@tripline/contract/recipes";
import { open, secret } from "./auth-fields.ts";

const host = open("host", "The only host the credential is sent to, such as api.example.com");

/** Recipes for any service; each credential names its host. */
export const genericAuth: readonly AuthRecipe[] = [
	{
		id: "bearer_token",
		title: "Bearer token",
		type: "bearer",
		fields: [host, secret("token", "Sent as the header Authorization: Bearer")],
		hosts: ["{host}"],
		inject: { token: "{token}" },
	},
	{
		id: "basic_auth",
		title: "User name and password",
		type: "basic",
		fields: [host, open("username", "The user name"), secret("password", "The password")],
		hosts: ["{host}"],
		inject: { username: "{username}", password: "{password}" },
	},
	{
		id: "api_key_header",
		title: "API key in the header X-API-Key",
		type: "header",
		fields: [host, secret("key", "Sent as the header X-API-Key")],
		hosts: ["{host}"],
		inject: { headers: { "x-api-key": "{key}" } },
	},
	{
		id: "api_key_query",
		title: "API key in the query parameter api_key",
		type: "query",
		fields: [host, secret("key", "Sent as the query parameter api_key")],
		hosts: ["{host}"],
		inject: { query: { api_key: "{key}" } },
	},
	{
		id: "oauth2_client_credentials",
		title: "OAuth 2 client credentials",
		type: "oauth2_client_credentials",
		fields: [
			host,
			open("token_url", "The token endpoint, such as https://auth.example.com/oauth/token"),
			open("client_id", "The client's id"),
			secret("client_secret", "The client's secret"),
			{ ...open("scope", "Scopes separated by spaces"), optional: true },
			{ ...open("audience", "Required by some services"), optional: true },
		],
		hosts: ["{host}"],
		inject: {
			token_url: "{token_url}",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			scope: "{scope}",
			audience: "{audience}",
			client_auth: "basic",
		},
	},
];
