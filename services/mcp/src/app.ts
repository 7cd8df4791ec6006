import type { Failure } from "@tripline/contract/failures";
import { type App, createApp, readWorkersAddress, toFetch } from "@tripline/web/app";
import type { Incoming } from "@tripline/web/http-message";
import { requestCounter } from "@tripline/web/request-metrics";
import type { Route } from "@tripline/web/route";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import { resolveOrigin } from "./addresses.ts";
import { createAuthenticate } from "./bearer.ts";
import type { McpCaller } from "./callers.ts";
import { verifyConnection } from "./connect/verify.ts";
import { withCors } from "./cors.ts";
import type { McpDeps } from "./deps.ts";
import { consoleRoutes, redirectEndingSlash } from "./http/console.ts";
import { guiRoutes } from "./http/gui/routes.ts";
import { mcpRoutes } from "./http/mcp.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import { createTokens } from "./oauth/tokens.ts";
import { createProtocol } from "./protocol/protocol.ts";
import { heldOutputs } from "./tools/held-outputs.ts";

/** Long outputs of runs are held for the length of a conversation, in a fraction of a Worker isolate's memory. */
const MAX_HELD_MS = 15 * 60_000;
const MAX_HELD_BYTES = 16 * 1024 * 1024;

export interface Mcp extends App {
	close(): Promise<void>;
}

/** The authorization server, the tool endpoint, the console and its API. */
export function createMcp(deps: McpDeps): Mcp {
	const { store, executor, clock, log, settings, isolatesRequests = false, sharesAddress = false } = deps;
	const tokens =
		deps.oauthKv === null ? null : createTokens({ kv: deps.oauthKv, clock, signals: deps.signals });
	const protocol = createProtocol({
		sdk: deps.sdk,
		surface: deps.surface,
		version: deps.version,
		maxBodyBytes: settings.maxBodyBytes,
		log,
		executor,
		store,
		outputs: heldOutputs({ clock, maxBytes: MAX_HELD_BYTES, maxAgeMs: MAX_HELD_MS, peers: deps.peers }),
		sharesAddress,
	});
	const authenticate = createAuthenticate({ tokens, store, settings, clock });
	const gui = guiRoutes({ ...deps, sharesAddress, tokens, verify });
	const app = createApp<McpCaller>({
		title: "Tripline MCP server",
		version: deps.version,
		routes: [
			...oauthRoutes({ ...deps, tokens }),
			...consoleRoutes(deps.console),
			...[...mcpRoutes({ protocol, settings }), ...gui].map(withBearer),
		],
		authenticate,
		ready: deps.ready,
		toFailure,
		clock,
		log,
		tracing: deps.tracing,
		maxBodyBytes: settings.maxBodyBytes,
		countRequest: deps.metrics && requestCounter(deps.metrics, "mcp"),
	});
	const answer = withCors(redirectEndingSlash(app.answer), settings);
	const fetch = toFetch(answer, isolatesRequests ? readWorkersAddress : undefined);

	return { ...app, answer, fetch, close: protocol.close };

	/** Goes through a client's handshake with this server, within the process. */
	function verify(request: Incoming) {
		return verifyConnection({
			// Checks the public address, even if this request came by another name.
			origin: settings.publicUrl ?? resolveOrigin(settings, request),
			authorization: request.headers.get("authorization"),
			fetch,
		});
	}
}

/** Authenticating a partner key calls the store, which can fail. */
function toFailure(error: unknown): Failure | null {
	if (error instanceof ServiceUnavailable)
		return { kind: "unavailable", message: `${error.message}, try again`, retryAfterSeconds: 1 };
	if (error instanceof ServiceRefused && (error.status === 401 || error.status === 403))
		return {
			kind: "unavailable",
			message:
				"an internal service rejected this server's credential: set the same STORE_INTERNAL_TOKEN for all services",
			retryAfterSeconds: 60,
		};
	return null;
}

const withBearer = <Caller>(route: Route<Caller>): Route<Caller> => ({
	...route,
	security: {
		owner: {
			type: "http",
			scheme: "bearer",
			description: "An access token of the OAuth login, MCP_STATIC_TOKEN, or a partner key",
		},
	},
});
