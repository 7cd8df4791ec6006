import * as z from "zod";

export const tag = "Login";

const OAuthError = z
	.object({ error: z.string(), error_description: z.string() })
	.meta({ id: "OAuthError", description: "RFC 6749, section 5.2" });

export const REFUSED = { description: "Rejected; error and error_description say why", body: OAuthError };
export const NOT_SET_UP = { description: "Not configured, or temporarily unavailable", body: OAuthError };
