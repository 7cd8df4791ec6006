import type { Incoming, Outgoing } from "@tripline/web/http-message";
import { resolveOrigin } from "./addresses.ts";
import { findOriginProblem } from "./protocol/origin.ts";
import type { McpSettings } from "./settings.ts";

type Answer = (request: Incoming) => Promise<Outgoing>;

/** Open to browser clients of any origin: these endpoints rely on codes and tokens, not on the origin. */
const OPEN_PATHS = /^\/(?:register|token|revoke|\.well-known\/oauth-[a-z-]+(?:\/mcp)?)$/;

const PREFLIGHT = {
	"access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
	"access-control-allow-headers":
		"authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id",
	"access-control-max-age": "86400",
};
const EXPOSED = {
	"access-control-expose-headers": "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, Retry-After",
};

/** Answers preflight requests (before authentication) and adds CORS headers to the MCP server's responses. */
export function withCors(answer: Answer, settings: McpSettings): Answer {
	return (request) => {
		const allowed = findAllowedOrigin(getPath(request.url), request);
		// Most requests need no CORS headers: they skip the async function.
		return allowed === undefined ? answer(request) : answerWithCors(request, allowed);
	};

	async function answerWithCors(request: Incoming, allowed: string | null): Promise<Outgoing> {
		if (allowed === null) return FORBIDDEN;
		const headers = { "access-control-allow-origin": allowed, vary: "Origin", ...EXPOSED };
		if (request.method === "OPTIONS")
			return { status: 204, headers: { ...headers, ...PREFLIGHT }, body: null };
		const outgoing = await answer(request);
		return { ...outgoing, headers: { ...outgoing.headers, ...headers } };
	}

	/** Undefined: CORS does not apply; null: the origin is refused. */
	function findAllowedOrigin(path: string, request: Incoming): string | null | undefined {
		if (OPEN_PATHS.test(path)) return "*";
		if (path !== "/mcp" && !path.startsWith("/gui/")) return undefined;
		const origin = request.headers.get("origin");
		if (origin === null) return path === "/mcp" ? "*" : undefined;
		const own = [resolveOrigin(settings, request), ...listOwnOrigins(settings)];
		const { redirectHosts } = settings;
		const isAllowed =
			path === "/mcp" ? findOriginProblem(origin, { own, redirectHosts }) === null : own.includes(origin);
		return isAllowed ? origin : null;
	}
}

const listOwnOrigins = ({ publicUrl, otherUrls }: McpSettings): readonly string[] =>
	publicUrl === undefined ? otherUrls : [publicUrl, ...otherUrls];

const FORBIDDEN: Outgoing = {
	status: 403,
	headers: { "content-type": "application/json; charset=utf-8" },
	body: JSON.stringify({ error: "requests from this origin are refused" }),
};

function getPath(url: string): string {
	const start = url.indexOf("/", url.indexOf("://") + 3);
	const end = url.slice(start).search(/[?#]/);
	return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
