import { type VerifyReport, verifyConnection } from "../../src/connect/verify.ts";
import { isOnList } from "../../src/oauth/redirect-uri.ts";

type Handler = (request: Request) => Response | Promise<Response>;
/** Handlers by method and path. */
export type Handlers = Readonly<Record<string, Handler>>;

export const ORIGIN = "https://tripline.example";
const TOKEN = "Bearer of-the-caller";

/** A server that passes all checks, one handler per answer, so that each can be replaced by a broken one. */
export function goodServer(
	origin = ORIGIN,
	redirectHosts: readonly string[] = ["claude.ai", "claude.com"],
): Handlers {
	const resource = () => Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
	const issuer = () =>
		Response.json({
			issuer: origin,
			authorization_endpoint: `${origin}/authorize`,
			token_endpoint: `${origin}/token`,
			registration_endpoint: `${origin}/register`,
			response_types_supported: ["code"],
			code_challenge_methods_supported: ["S256"],
			token_endpoint_auth_methods_supported: ["none"],
		});
	return {
		"GET /.well-known/oauth-protected-resource": resource,
		"GET /.well-known/oauth-protected-resource/mcp": resource,
		"GET /.well-known/oauth-authorization-server": issuer,
		"GET /.well-known/oauth-authorization-server/mcp": issuer,
		"OPTIONS /mcp": preflight,
		"OPTIONS /token": preflight,
		"OPTIONS /register": preflight,
		"POST /register": async (request) => {
			const { redirect_uris } = (await request.json()) as { redirect_uris: string[] };
			const isAllowed = (uri: string): boolean => {
				const { protocol, hostname } = new URL(uri);
				if (["localhost", "127.0.0.1"].includes(hostname)) return true;
				return protocol === "https:" && isOnList(hostname, redirectHosts);
			};
			if (!redirect_uris.some(isAllowed))
				return Response.json({ error: "invalid_redirect_uri" }, { status: 400 });
			return Response.json({ client_id: "id" }, { status: 201 });
		},
		"GET /authorize": () => new Response('<input name="owner_secret">'),
		"POST /mcp": (request) => answerMessage(request, origin),
	};
}

const preflight = (): Response =>
	new Response(null, {
		status: 204,
		headers: {
			"access-control-allow-origin": "*",
			"access-control-allow-headers":
				"Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
		},
	});

async function answerMessage(request: Request, origin: string): Promise<Response> {
	if (request.headers.get("authorization") !== TOKEN) return unauthorized(origin);
	const { method, params } = (await request.json()) as Message;
	if (method === "initialize")
		return Response.json({ jsonrpc: "2.0", id: 1, result: { protocolVersion: params.protocolVersion } });
	const version = params._meta?.["io.modelcontextprotocol/protocolVersion"];
	const isWhole =
		request.headers.get("mcp-protocol-version") === version && request.headers.get("mcp-method") === method;
	if (!isWhole) return Response.json({ error: { code: -32020 } }, { status: 400 });
	const message = { jsonrpc: "2.0", id: 1, result: { supportedVersions: [version], resultType: "complete" } };
	return new Response(`event: message\ndata: ${JSON.stringify(message)}\n\n`, {
		headers: { "content-type": "text/event-stream" },
	});
}

interface Message {
	readonly method: string;
	readonly params: { readonly protocolVersion?: string; readonly _meta?: Record<string, string> };
}

export const unauthorized = (origin: string, challenge?: string): Response =>
	new Response(null, {
		status: 401,
		headers: {
			"www-authenticate":
				challenge ?? `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
			"access-control-allow-origin": "*",
			"access-control-expose-headers": "WWW-Authenticate",
		},
	});

export const verify = (
	handlers: Handlers,
	{ origin = ORIGIN, authorization = TOKEN as string | null } = {},
): Promise<VerifyReport> =>
	verifyConnection({
		origin,
		authorization,
		fetch: async (request) => {
			const handler = handlers[`${request.method} ${new URL(request.url).pathname}`];
			return handler === undefined ? new Response(null, { status: 404 }) : handler(request);
		},
	});
