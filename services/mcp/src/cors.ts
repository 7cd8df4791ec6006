import type { Incoming, Outgoing } from "@tripline/web/exchange";
import { originOf } from "./addresses.ts";
import { originProblem } from "./protocol/origin.ts";
import type { McpSettings } from "./settings.ts";

type Answer = (request: Incoming) => Promise<Outgoing>;

/** Called by clients that run in a browser, whoever serves them: what counts there is the token, not the origin. */
const OPEN = /^\/(?:register|token|revoke|\.well-known\/oauth-[a-z-]+(?:\/mcp)?)$/;

const PREFLIGHT = {
	"access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
	"access-control-allow-headers":
		"authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id",
	"access-control-max-age": "86400",
};
const EXPOSED = {
	"access-control-expose-headers": "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, Retry-After",
};

/** Answers browsers' questions before a call (before any credential is asked for), and marks every answer of the MCP server. */
export function withCors(answer: Answer, settings: McpSettings): Answer {
	return async (request) => {
		const path = pathOf(request.url);
		const origin = request.headers.get("origin");
		const allowed = allowedOrigin(path, origin, request);
		if (allowed === undefined) return answer(request);
		if (allowed === null) return FORBIDDEN;
		const headers = { "access-control-allow-origin": allowed, vary: "Origin", ...EXPOSED };
		if (request.method === "OPTIONS")
			return { status: 204, headers: { ...headers, ...PREFLIGHT }, body: null };
		const outgoing = await answer(request);
		return { ...outgoing, headers: { ...outgoing.headers, ...headers } };
	};

	/** Undefined: not for this to say; null: it must not call. */
	function allowedOrigin(path: string, origin: string | null, request: Incoming): string | null | undefined {
		if (OPEN.test(path)) return "*";
		const own = [originOf(settings, request), ...ownOrigins(settings)];
		if (path === "/mcp") {
			if (origin === null) return "*";
			return originProblem(origin, { own, redirectHosts: settings.redirectHosts }) === null ? origin : null;
		}
		if (!path.startsWith("/gui/") || origin === null) return undefined;
		return own.includes(origin) ? origin : null;
	}
}

const ownOrigins = ({ publicUrl, otherUrls }: McpSettings): readonly string[] =>
	publicUrl === undefined ? otherUrls : [publicUrl, ...otherUrls];

const FORBIDDEN: Outgoing = {
	status: 403,
	headers: { "content-type": "application/json; charset=utf-8" },
	body: JSON.stringify({ error: "requests from this origin are refused" }),
};

function pathOf(url: string): string {
	const start = url.indexOf("/", url.indexOf("://") + 3);
	const end = url.slice(start).search(/[?#]/);
	return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
