import { type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { buildReply, respondWithJson } from "./answers.ts";
import { checkResource } from "./authorize-request.ts";
import { createCodeExchange, INVALID_CODE } from "./code-exchange.ts";
import type { StoredCode } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { NOT_SET_UP, REFUSED, tag } from "./descriptions.ts";
import { type Parameters, readBodyParameters, readParameter, requireParameter } from "./parameters.ts";
import { isVerified } from "./pkce.ts";
import { badGrant, OAuthFailed } from "./problems.ts";

const Grant = z
	.looseObject({
		grant_type: z.literal("authorization_code"),
		code: z.string(),
		code_verifier: z.string().meta({ description: "43 to 128 unreserved characters (RFC 7636)" }),
		client_id: z.string(),
		redirect_uri: z.string().optional(),
		resource: z.string().optional(),
	})
	.meta({ id: "TokenRequest" });

const Granted = z
	.object({ access_token: z.string(), token_type: z.literal("Bearer"), expires_in: z.int() })
	.meta({ id: "TokenAnswer" });

export function tokenRoute({ oauthKv, store, tokens, clock, log, settings }: OAuthDeps): Route<unknown> {
	const codes =
		oauthKv === null || tokens === null
			? null
			: createCodeExchange({ kv: oauthKv, store, tokens, clock, log });
	const expires_in = settings.tokenTtlSeconds;

	return route({
		method: "POST",
		path: "/token",
		tag,
		open: true,
		summary: "Exchange an authorization code for an access token",
		description:
			"A code can be used once, even if that request fails. Using it again also revokes the access token that it was exchanged for. There are no refresh tokens.",
		accepts: { "application/x-www-form-urlencoded": Grant, "application/json": Grant },
		responses: {
			200: { description: "The access token", body: Granted },
			400: REFUSED,
			413: REFUSED,
			503: NOT_SET_UP,
		},
		handle: ({ request }) =>
			respondWithJson(log, async () => {
				if (codes === null) throw new OAuthFailed({ kind: "unset", setting: "OAUTH_KV" });
				const startedAt = codes.recordStart();
				const parameters = await readBodyParameters(request);
				if (requireParameter(parameters, "grant_type") !== "authorization_code")
					throw new OAuthFailed({ kind: "bad_grant_type" });
				const { code, give } = await codes.exchangeCode(requireParameter(parameters, "code"), startedAt);
				const issued_at = clock.now();
				await checkGrant(parameters, code, issued_at);
				const { namespace, resource, client_id, client_name } = code;
				const expires_at = issued_at + expires_in * 1000;
				const record = { namespace, resource, client_id, client_name, issued_at, expires_at };
				return buildReply(200, { access_token: await give(record), token_type: "Bearer", expires_in });
			}),
	});
}

async function checkGrant(parameters: Parameters, code: StoredCode, now: number): Promise<void> {
	if (!(code.expires_at > now)) throw badGrant(INVALID_CODE);
	const verifier = requireParameter(parameters, "code_verifier");
	if (!(await isVerified(verifier, code.code_challenge)))
		throw badGrant("code_verifier does not match the code_challenge");
	if (requireParameter(parameters, "client_id") !== code.client_id)
		throw badGrant("client_id does not match the client that the code was issued to");
	// OAuth 2.0 requires redirect_uri here, OAuth 2.1 does not.
	if ((readParameter(parameters, "redirect_uri") ?? code.redirect_uri) !== code.redirect_uri)
		throw badGrant("redirect_uri does not match the authorization request");
	checkResource(readParameter(parameters, "resource"), code.resource);
}
