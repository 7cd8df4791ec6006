import { Failed } from "@tripline/contract/failures";
import { Namespace } from "@tripline/contract/names";
import { ANONYMOUS, PARTNER_KEY } from "@tripline/contract/partner-keys";
import { isSameSecret } from "@tripline/contract/secrets";
import type { Clock } from "@tripline/platform/clock";
import { partnerNamespaces, type StoreClient } from "@tripline/store/client";
import type { Incoming } from "@tripline/web/http-message";
import { isLoopback, isSameResource, resolveOrigin, toResource } from "./addresses.ts";
import type { McpCaller } from "./callers.ts";
import { isTokenShaped, type Tokens } from "./oauth/tokens.ts";
import type { McpSettings } from "./settings.ts";

const NO_TOKEN = { tokenId: null, clientName: null } as const;

export type Authenticate = (request: Incoming) => Promise<McpCaller>;

/** Authenticates callers of `/mcp` and of the console's endpoints. Credentials are checked in the documented order. */
export function createAuthenticate(deps: {
	/** Null: no token storage is configured. */
	readonly tokens: Tokens | null;
	readonly store: StoreClient;
	readonly settings: McpSettings;
	readonly clock: Clock;
}): Authenticate {
	const { tokens, settings } = deps;
	const partnerNamespace = partnerNamespaces(deps);

	return async (request) => {
		const bearer = /^[ \t]*Bearer +(\S+)[ \t]*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
		const caller = bearer === undefined ? null : await findCaller(bearer, request);
		if (caller === null) throw createUnauthorized(resolveOrigin(settings, request));
		return caller;
	};

	async function findCaller(bearer: string, request: Incoming): Promise<McpCaller | null> {
		const token = isTokenShaped(bearer) ? ((await tokens?.find(bearer)) ?? null) : null;
		if (token !== null && isForThisServer(token.resource, request))
			return { namespace: token.namespace, by: "oauth", tokenId: token.id, clientName: token.client_name };
		if (settings.staticToken !== undefined && isSameSecret(bearer, settings.staticToken))
			return { namespace: settings.ownerNamespace, by: "static", ...NO_TOKEN };
		if (settings.multiTenant && PARTNER_KEY.test(bearer)) {
			const namespace = await partnerNamespace(bearer);
			if (namespace !== null) return { namespace, by: "partner", ...NO_TOKEN };
		}
		if (settings.allowPlaintextNamespace && isPlainNamespace(bearer))
			return { namespace: bearer, by: "plaintext", ...NO_TOKEN };
		return null;
	}

	/** A token may be issued under the public address and used under a loopback name, or the other way round. */
	function isForThisServer(resource: string, request: Incoming): boolean {
		if (isSameResource(resource, toResource(resolveOrigin(settings, request)))) return true;
		if (settings.publicUrl === undefined) return false;
		const isLocal = isLoopback(resource) && URL.parse(resource)?.pathname === "/mcp";
		return isLocal || resource === toResource(settings.publicUrl);
	}
}

/** An expired or revoked access token must not be accepted as a namespace. */
const isPlainNamespace = (bearer: string): boolean =>
	bearer !== ANONYMOUS && !isTokenShaped(bearer) && Namespace.safeParse(bearer).success;

const createUnauthorized = (origin: string): Failed =>
	new Failed({
		kind: "unauthorized",
		message: "a valid bearer credential is needed",
		challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
	});
