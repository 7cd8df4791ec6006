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
	return (request) => {
		const allowed = allowedOrigin(pathOf(request.url), request);
		// Most requests are none of the MCP server's: for them not even a promise is made.
		return allowed === undefined ? answer(request) : answerTo(request, allowed);
	};

	async function answerTo(request: Incoming, allowed: string | null): Promise<Outgoing> {
		if (allowed === null) return FORBIDDEN;
		const headers = { "access-control-allow-origin": allowed, vary: "Origin", ...EXPOSED };
		if (request.method === "OPTIONS")
			return { status: 204, headers: { ...headers, ...PREFLIGHT }, body: null };
		const outgoing = await answer(request);
		return { ...outgoing, headers: { ...outgoing.headers, ...headers } };
	}

	/** Undefined: not for this to say; null: it must not call. */
	function allowedOrigin(path: string, request: Incoming): string | null | undefined {
		if (OPEN.test(path)) return "*";
		if (path !== "/mcp" && !path.startsWith("/gui/")) return undefined;
		const origin = request.headers.get("origin");
		if (origin === null) return path === "/mcp" ? "*" : undefined;
		const own = [originOf(settings, request), ...ownOrigins(settings)];
		const { redirectHosts } = settings;
		const isAllowed =
			path === "/mcp" ? originProblem(origin, { own, redirectHosts }) === null : own.includes(origin);
		return isAllowed ? origin : null;
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
