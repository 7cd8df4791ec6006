import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The token that it issues, and that it also accepts from an owner who has it. */
export const TOKEN = "tok_canary_mcp_51c2";

/** An MCP server on this machine that is its own authorization server, and grants every request. */
export async function startOAuthMcpServer() {
	const state = { tools: ["greet"], isOpen: false };
	const challenges = new Map<string, string>();
	const server = createServer(async (request, response) => {
		const { status = 200, headers = {}, json } = await answer(request);
		response.writeHead(status, { "content-type": "application/json", ...headers });
		response.end(json === undefined ? "" : JSON.stringify(json));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	async function answer(request: IncomingMessage): Promise<Answer> {
		const { pathname, searchParams } = new URL(request.url ?? "", origin);
		const body = await text(request);
		if (pathname === "/.well-known/oauth-authorization-server")
			return {
				json: {
					issuer: origin,
					authorization_endpoint: `${origin}/authorize`,
					token_endpoint: `${origin}/token`,
					registration_endpoint: `${origin}/register`,
					code_challenge_methods_supported: ["S256"],
				},
			};
		if (pathname === "/register")
			return { status: 201, json: { client_id: "client-7", client_secret: "secret_canary_7" } };
		if (pathname === "/authorize") {
			challenges.set("code-1", searchParams.get("code_challenge") ?? "");
			const back = new URL(searchParams.get("redirect_uri") ?? "");
			back.searchParams.set("code", "code-1");
			back.searchParams.set("state", searchParams.get("state") ?? "");
			return { status: 302, headers: { location: back.href } };
		}
		if (pathname === "/token") {
			const verifier = new URLSearchParams(body).get("code_verifier") ?? "";
			const challenge = createHash("sha256").update(verifier).digest("base64url");
			return challenges.get("code-1") === challenge
				? { json: { access_token: TOKEN, token_type: "Bearer", expires_in: 600 } }
				: { status: 400, json: { error: "invalid_grant" } };
		}
		if (pathname !== "/mcp") return { status: 404, json: {} };
		if (!state.isOpen && request.headers.authorization !== `Bearer ${TOKEN}`)
			return { status: 401, headers: { "www-authenticate": "Bearer" }, json: {} };
		return answerMcp(JSON.parse(body));
	}

	function answerMcp({ id, method }: { readonly id?: number; readonly method: string }): Answer {
		if (id === undefined) return { status: 202 };
		if (method === "initialize") {
			const serverInfo = { name: "greeter", version: "1" };
			return reply(id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
		}
		if (method === "tools/list") return reply(id, { tools: state.tools.map(describeTool) });
		return { json: { jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } } };
	}

	return {
		url: `${origin}/mcp`,
		state,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

interface Answer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: object;
}

const reply = (id: number, result: object): Answer => ({ json: { jsonrpc: "2.0", id, result } });

const describeTool = (name: string) => ({
	name,
	description: `Does ${name}. \u001b[31mNot more.`,
	inputSchema: { type: "object", properties: { who: { type: "string", description: "A name" } } },
});
