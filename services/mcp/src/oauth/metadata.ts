import * as z from "zod";
import { toResource } from "../addresses.ts";

export const ProtectedResource = z
	.object({
		resource: z.string(),
		authorization_servers: z.array(z.string()),
		bearer_methods_supported: z.array(z.string()),
		resource_name: z.string(),
	})
	.meta({ id: "ProtectedResource" });

/** RFC 9728. */
export const protectedResource = (origin: string): z.output<typeof ProtectedResource> => ({
	resource: toResource(origin),
	authorization_servers: [origin],
	bearer_methods_supported: ["header"],
	resource_name: "Tripline",
});

export const AuthorizationServer = z
	.object({
		issuer: z.string(),
		authorization_endpoint: z.string(),
		token_endpoint: z.string(),
		registration_endpoint: z.string(),
		revocation_endpoint: z.string(),
		response_types_supported: z.array(z.string()),
		response_modes_supported: z.array(z.string()),
		grant_types_supported: z.array(z.string()),
		code_challenge_methods_supported: z.array(z.string()),
		token_endpoint_auth_methods_supported: z.array(z.string()),
		revocation_endpoint_auth_methods_supported: z.array(z.string()),
		client_id_metadata_document_supported: z.boolean(),
		authorization_response_iss_parameter_supported: z.boolean(),
	})
	.meta({ id: "AuthorizationServer" });

/** RFC 8414. Clients compare the issuer byte by byte, so it never ends in a slash. */
export const authorizationServer = (origin: string): z.output<typeof AuthorizationServer> => ({
	issuer: origin,
	authorization_endpoint: `${origin}/authorize`,
	token_endpoint: `${origin}/token`,
	registration_endpoint: `${origin}/register`,
	revocation_endpoint: `${origin}/revoke`,
	response_types_supported: ["code"],
	response_modes_supported: ["query"],
	grant_types_supported: ["authorization_code"],
	code_challenge_methods_supported: ["S256"],
	token_endpoint_auth_methods_supported: ["none"],
	revocation_endpoint_auth_methods_supported: ["none"],
	client_id_metadata_document_supported: true,
	authorization_response_iss_parameter_supported: true,
});
