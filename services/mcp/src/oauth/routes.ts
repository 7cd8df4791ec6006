import type { Route } from "@tripline/web/route";
import { authorizeRoutes } from "./authorize.ts";
import type { OAuthDeps } from "./deps.ts";
import { registerRoute } from "./register.ts";
import { revokeRoute } from "./revoke.ts";
import { tokenRoute } from "./token.ts";
import { metadataRoutes } from "./well-known.ts";

/** The authorization server (OAuth 2.1). The owner authorizes clients with the owner secret. */
export const oauthRoutes = (deps: OAuthDeps): Route<unknown>[] => [
	...metadataRoutes(deps.settings),
	registerRoute(deps),
	...authorizeRoutes(deps),
	tokenRoute(deps),
	revokeRoute(deps),
];
