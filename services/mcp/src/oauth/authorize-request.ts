import { isSameResource } from "../addresses.ts";
import type { McpSettings } from "../settings.ts";
import { type Parameters, readParameter, requireParameter } from "./parameters.ts";
import { isChallenge } from "./pkce.ts";
import { malformed, OAuthFailed } from "./problems.ts";
import { consoleCallback, findRedirectProblem, isSameRedirect } from "./redirect-uri.ts";

/** The client and its redirect URI. Nothing is redirected until both have been checked. */
export interface Destination {
	readonly clientId: string;
	readonly redirectUri: string;
}

/** The rest of the authorization request. */
export interface AuthorizationRequest {
	readonly codeChallenge: string;
	readonly state: string | undefined;
}

const CLIENT_ID = /^[\x20-\x7e]{1,4000}$/;
const CONTROL = /\p{Cc}/u;

/** The parameters that the consent page carries in its form. */
const FIELDS = [
	"response_type",
	"response_mode",
	"client_id",
	"redirect_uri",
	"code_challenge",
	"code_challenge_method",
	"resource",
	"state",
];

/** Errors in these parameters are shown to the user, never sent to the redirect URI. */
export function parseDestination(
	parameters: Parameters,
	{ redirectHosts: hosts, publicUrl }: Pick<McpSettings, "redirectHosts" | "publicUrl">,
): Destination {
	const clientId = requireParameter(parameters, "client_id");
	if (!CLIENT_ID.test(clientId)) throw malformed("client_id must be 1 to 4000 printable ASCII characters");
	const redirectUri = requireParameter(parameters, "redirect_uri");
	const problem = findRedirectProblem(redirectUri, hosts, consoleCallback(publicUrl));
	if (problem !== null) {
		throw new OAuthFailed({
			kind: "bad_redirect",
			message: `The redirect_uri ${problem}: ${redirectUri}`,
			hint: `Allowed are loopback addresses and these hosts with their subdomains: ${hosts.join(", ")}. To allow another host, set MCP_ALLOWED_REDIRECT_HOSTS, for example MCP_ALLOWED_REDIRECT_HOSTS=+example.com.`,
		});
	}
	return { clientId, redirectUri };
}

/** `registered` is null if the client registered no redirect URIs. */
export function checkRegistered({ redirectUri }: Destination, registered: readonly string[] | null): void {
	if (registered === null || registered.some((each) => isSameRedirect(each, redirectUri))) return;
	throw new OAuthFailed({
		kind: "bad_redirect",
		message: `The redirect_uri is not registered for this application: ${redirectUri}`,
		hint: "Remove the connection in the application and add it again.",
	});
}

/** Errors in these parameters go to the redirect URI. Scopes are ignored: clients ask for ones they know from elsewhere. */
export function parseAuthorizationRequest(parameters: Parameters, resource: string): AuthorizationRequest {
	const state = readParameter(parameters, "state");
	// A form field cannot carry control characters unchanged.
	if (state !== undefined && CONTROL.test(state))
		throw malformed("state must not contain control characters");
	if (requireParameter(parameters, "response_type") !== "code")
		throw new OAuthFailed({ kind: "bad_response_type" });
	if ((readParameter(parameters, "response_mode") ?? "query") !== "query")
		throw malformed("response_mode must be query or omitted");
	const codeChallenge = requireParameter(parameters, "code_challenge");
	if (readParameter(parameters, "code_challenge_method") !== "S256")
		throw malformed("code_challenge_method must be S256");
	if (!isChallenge(codeChallenge)) throw malformed("code_challenge must be 43 characters of base64url");
	checkResource(readParameter(parameters, "resource"), resource);
	return { codeChallenge, state };
}

/** Clients send the resource with or without its path and a trailing slash, or not at all (RFC 8707). */
export function checkResource(given: string | undefined, own: string): void {
	if (given === undefined) return;
	const base = own.slice(0, own.lastIndexOf("/"));
	const isOwn = [own, `${own}/`, `${base}/`].some((each) => isSameResource(given, each));
	if (!isOwn) throw new OAuthFailed({ kind: "foreign_resource", resource: own });
}

/** The parameters that the form submits again, each once. */
export function listHiddenFields(parameters: Parameters): Record<string, string> {
	const given = FIELDS.map((name) => [name, readParameter(parameters, name)] as const);
	return Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** The `state` to return with an error, from a request that may be malformed. */
export function findState(parameters: Parameters): string | undefined {
	const values = parameters.get("state") ?? [];
	const [value] = values;
	return values.length === 1 && typeof value === "string" && value !== "" ? value : undefined;
}
