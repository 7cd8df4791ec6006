import { sha256Hex } from "@tripline/contract/ids";
import { type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { buildReply, respondWithJson } from "./answers.ts";
import type { OAuthDeps } from "./deps.ts";
import { NOT_SET_UP, REFUSED, tag } from "./descriptions.ts";
import { readBodyParameters, requireParameter } from "./parameters.ts";
import { OAuthFailed } from "./problems.ts";
import { isTokenShaped } from "./tokens.ts";

const Revocation = z.looseObject({ token: z.string() }).meta({ id: "Revocation" });

export const revokeRoute = ({ tokens, log }: OAuthDeps): Route<unknown> =>
	route({
		method: "POST",
		path: "/revoke",
		tag,
		open: true,
		summary: "Revoke an access token (RFC 7009)",
		description: "Anyone who has the token may revoke it. An unknown token gets the same answer.",
		accepts: { "application/x-www-form-urlencoded": Revocation, "application/json": Revocation },
		responses: {
			200: { description: "The token is no longer valid, or never was" },
			400: REFUSED,
			413: REFUSED,
			503: NOT_SET_UP,
		},
		handle: ({ request }) =>
			respondWithJson(log, async () => {
				if (tokens === null) throw new OAuthFailed({ kind: "unset", setting: "OAUTH_KV" });
				const token = requireParameter(await readBodyParameters(request), "token");
				if (isTokenShaped(token)) await tokens.revoke(null, await sha256Hex(token));
				return buildReply(200, {});
			}),
	});
