import { createHash } from "node:crypto";
import type { OutsideAnswer, OutsideRequest } from "../../outside.ts";
import type { World } from "../../scenario.ts";
import { type OutsideHost, openHost } from "./outside-host.ts";

const METADATA = "/.well-known/oauth-authorization-server";

/** An MCP server that wants a sign-in, and its authorization server. */
export interface OAuthMcpHost {
	readonly server: OutsideHost;
	readonly auth: OutsideHost;
	readonly url: string;
	/** Changed by scenarios. */
	readonly state: {
		/** Needed to call a tool. */
		scope: string;
		isRevoked: boolean;
		refusesRenewal: boolean;
		takesDocuments: boolean;
		/** Why it lists no tools. */
		problem: string | null;
	};
	/** What was sent to an endpoint, in order. */
	listSent(path: string): URLSearchParams[];
	countRegistrations(): number;
	/** Grants an authorization request, and returns the code. */
	authorize(location: string): string;
}

export function openOAuthMcpHost(world: World): OAuthMcpHost {
	const names = { server: `mcp.${world.owner}.example.com`, auth: `auth.${world.owner}.example.com` };
	const url = `https://${names.server}/mcp`;
	const issuer = `https://${names.auth}`;
	const state = {
		scope: "read",
		isRevoked: false,
		refusesRenewal: false,
		takesDocuments: false,
		problem: null as string | null,
	};
	const grants = new Map<string, { challenge: string; scope: string; client: string }>();
	let issued = 0;
	let granted = "";
	const getToken = () => `access-canary-${world.owner}-${issued}`;
	const getRefresh = () => `refresh-canary-${world.owner}-${issued}`;
	const challenge = (more: string) => ({
		"www-authenticate": `Bearer resource_metadata="https://${names.server}/meta"${more}`,
	});

	const server = openHost(
		world,
		({ url: asked, method, headers, body }) => {
			const { pathname } = new URL(asked);
			if (pathname === "/meta") return { json: { resource: url, authorization_servers: [issuer] } };
			if (pathname !== "/mcp") return { status: 404, json: {} };
			if (headers.authorization !== `Bearer ${getToken()}` || issued === 0 || state.isRevoked)
				return { status: 401, headers: challenge(', scope="read"'), json: { error: "invalid_token" } };
			if (method === "DELETE") return { status: 200, json: {} };
			return answer(JSON.parse(body) as Message);
		},
		names.server,
	);

	function answer({ id, method, params }: Message): OutsideAnswer {
		const reply = (result: object): OutsideAnswer => ({ json: { jsonrpc: "2.0", id, result } });
		if (id === undefined) return { status: 202 };
		if (method === "initialize")
			return {
				headers: { "mcp-session-id": "session-1" },
				...reply({
					protocolVersion: "2025-11-25",
					capabilities: { tools: {} },
					serverInfo: { name: "CRM", version: "1" },
				}),
			};
		if (method === "tools/list" && state.problem !== null)
			return { json: { jsonrpc: "2.0", id, error: { code: -32000, message: state.problem } } };
		if (method === "tools/list")
			return reply({
				tools: [
					{
						name: "greet",
						description: "Greets somebody.",
						inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
					},
				],
			});
		if (method !== "tools/call")
			return { json: { jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } } };
		if (!granted.split(" ").includes(state.scope))
			return {
				status: 403,
				headers: challenge(`, error="insufficient_scope", scope="${state.scope}"`),
				json: { error: "insufficient_scope" },
			};
		const text = `Hello ${params?.arguments?.name}, ${getToken()}`;
		return reply({ content: [{ type: "text", text }] });
	}

	const auth = openHost(world, (request) => answerAuth(request, new URL(request.url).pathname), names.auth);

	function answerAuth({ body, headers }: OutsideRequest, path: string): OutsideAnswer {
		if (path === METADATA)
			return {
				json: {
					issuer,
					authorization_endpoint: `${issuer}/authorize`,
					token_endpoint: `${issuer}/token`,
					registration_endpoint: `${issuer}/register`,
					code_challenge_methods_supported: ["S256"],
					client_id_metadata_document_supported: state.takesDocuments,
				},
			};
		if (path === "/register")
			return {
				status: 201,
				json: { client_id: `client-${world.owner}`, client_secret: `secret-canary-${world.owner}` },
			};
		const form = new URLSearchParams(body);
		const client = readClient(headers.authorization, form);
		if (client === null) return { status: 401, json: { error: "invalid_client" } };
		if (form.get("grant_type") === "refresh_token")
			return form.get("refresh_token") === getRefresh() && !state.refusesRenewal ? issue() : refuse();
		const grant = grants.get(form.get("code") ?? "");
		grants.delete(form.get("code") ?? "");
		const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
		if (grant?.challenge !== verifier.digest("base64url") || grant.client !== client) return refuse();
		granted = grant.scope;
		return issue();
	}

	/** A client with a secret, or one whose id is its document. */
	function readClient(authorization: string | undefined, form: URLSearchParams): string | null {
		const id = form.get("client_id");
		if (authorization === undefined) return id?.startsWith("https://") ? id : null;
		const known = `client-${world.owner}`;
		return authorization === `Basic ${btoa(`${known}:secret-canary-${world.owner}`)}` ? known : null;
	}

	function issue(): OutsideAnswer {
		issued++;
		state.isRevoked = false;
		const tokens = { access_token: getToken(), refresh_token: getRefresh() };
		return { json: { ...tokens, token_type: "Bearer", expires_in: 600 } };
	}

	return {
		server,
		auth,
		url,
		state,
		listSent: (path) =>
			auth.seen
				.filter((request) => new URL(request.url).pathname === path)
				.map(({ body }) => new URLSearchParams(body)),
		countRegistrations: () => auth.seen.filter((request) => request.url === `${issuer}/register`).length,
		authorize(location) {
			const { searchParams } = new URL(location);
			const code = `code-canary-${grants.size}-${world.owner}`;
			grants.set(code, {
				challenge: searchParams.get("code_challenge") ?? "",
				scope: searchParams.get("scope") ?? "",
				client: searchParams.get("client_id") ?? "",
			});
			return code;
		},
	};
}

interface Message {
	readonly id?: number;
	readonly method: string;
	readonly params?: { readonly arguments?: { readonly name?: string } };
}

const refuse = (): OutsideAnswer => ({ status: 400, json: { error: "invalid_grant" } });
