import { unixSeconds } from "@tripline/platform/clock";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { buildReply, respondWithJson } from "./answers.ts";
import { cleanClientName, createClientId } from "./client-id.ts";
import type { OAuthDeps } from "./deps.ts";
import { NOT_SET_UP, REFUSED, tag } from "./descriptions.ts";
import { readBodyObject } from "./parameters.ts";
import { OAuthFailed } from "./problems.ts";
import { consoleCallback, findRedirectProblem } from "./redirect-uri.ts";

/** A client id contains its redirect URIs, and is sent in URLs and headers. */
const MAX_CLIENT_ID_LENGTH = 3_000;

const Metadata = z
	.looseObject({ redirect_uris: z.array(z.string()).min(1), client_name: z.string().optional() })
	.meta({ id: "ClientMetadata" });

const Registered = z
	.object({
		client_id: z.string(),
		client_id_issued_at: z.int(),
		client_name: z.string().optional(),
		redirect_uris: z.array(z.string()),
		token_endpoint_auth_method: z.literal("none"),
		grant_types: z.array(z.string()),
		response_types: z.array(z.string()),
	})
	.meta({ id: "RegisteredClient" });

export const registerRoute = ({ oauthKv, clock, log, settings }: OAuthDeps): Route<unknown> =>
	route({
		method: "POST",
		path: "/register",
		tag,
		open: true,
		summary: "Register a public client (RFC 7591)",
		description:
			"Nothing is stored: the client_id contains the registration. Redirect URIs that are not allowed are dropped; at least one must be left. Other fields are ignored.",
		accepts: { "application/json": Metadata },
		responses: {
			201: { description: "Registered", body: Registered },
			400: REFUSED,
			413: REFUSED,
			503: NOT_SET_UP,
		},
		handle: ({ request }) =>
			respondWithJson(log, async () => {
				if (oauthKv === null) throw new OAuthFailed({ kind: "unset", setting: "OAUTH_KV" });
				const { name, redirectUris } = await readRegistration(request, settings);
				return buildReply(201, {
					client_id: buildClientId({ name, redirectUris }),
					client_id_issued_at: unixSeconds(clock),
					...(name === null ? {} : { client_name: name }),
					redirect_uris: redirectUris,
					// Regardless of the request: clients that ask for a secret accept this answer.
					token_endpoint_auth_method: "none",
					grant_types: ["authorization_code"],
					response_types: ["code"],
				});
			}),
	});

async function readRegistration(request: Incoming, { redirectHosts, publicUrl }: OAuthDeps["settings"]) {
	const findProblem = (uri: string) => findRedirectProblem(uri, redirectHosts, consoleCallback(publicUrl));
	const metadata = await readBodyObject(request);
	if (metadata === null)
		throw new OAuthFailed({ kind: "bad_metadata", message: "the body must be a JSON object" });
	const { redirect_uris } = metadata;
	const given = Array.isArray(redirect_uris) ? redirect_uris.filter((each) => typeof each === "string") : [];
	if (given.length === 0) throw createBadRedirect("redirect_uris must be a list with at least one URI");
	const redirectUris = given.filter((uri) => findProblem(uri) === null);
	if (redirectUris.length === 0) {
		throw createBadRedirect(
			`no redirect URI is allowed: the first ${findProblem(given[0] as string)}. To allow other hosts, set MCP_ALLOWED_REDIRECT_HOSTS`,
		);
	}
	return { name: cleanClientName(metadata.client_name), redirectUris: [...new Set(redirectUris)] };
}

function buildClientId(registration: Parameters<typeof createClientId>[0]): string {
	const id = createClientId(registration);
	if (id.length > MAX_CLIENT_ID_LENGTH)
		throw createBadRedirect("redirect_uris has too many entries, or they are too long");
	return id;
}

const createBadRedirect = (message: string): OAuthFailed =>
	new OAuthFailed({ kind: "bad_redirect", message, hint: null });
