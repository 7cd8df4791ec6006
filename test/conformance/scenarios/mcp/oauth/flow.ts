import assert from "node:assert/strict";
import type { Scenario, World } from "../../../scenario.ts";
import { createPkce, readLocation, readToken } from "../login.ts";
import { approve, exchangeCode, openPage } from "./presenting.ts";

const REDIRECT = "http://localhost:33418/callback";
const PING = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

export const flow: readonly Scenario[] = [
	{
		name: "a client that knows only the URL of /mcp can discover everything and log in with code and PKCE S256",
		cites: ["MCP-OAUTH-FLOW", "MCP-AUTH-ROOT"],
		async run(world) {
			const refused = await listTools(world);
			assert.equal(refused.status, 401);
			const challenge = refused.headers.get("www-authenticate") ?? "";
			const resourceUrl = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge)?.[1] ?? "";
			const { resource, authorization_servers } = await readDocument(world, resourceUrl);
			const [issuer] = authorization_servers as string[];
			const server = await readDocument(world, `${issuer}/.well-known/oauth-authorization-server`);
			assert.equal(server.issuer, issuer);
			const registered = await world.anyone.call("POST", toPath(world, server.registration_endpoint), {
				body: { client_name: "Finder", redirect_uris: [REDIRECT] },
			});
			const { client_id } = registered.body as { client_id: string };
			const { verifier, challenge: code_challenge } = createPkce();
			const asked = {
				response_type: "code",
				client_id,
				redirect_uri: REDIRECT,
				code_challenge,
				code_challenge_method: "S256",
				resource: String(resource),
				state: "mine",
			};
			assert.equal(toPath(world, server.authorization_endpoint), "/authorize");
			assert.equal((await openPage(world, asked)).status, 200);
			const { searchParams } = readLocation(await approve(world, asked));
			assert.equal(searchParams.get("state"), "mine");
			assert.equal(searchParams.get("iss"), issuer);
			assert.equal(toPath(world, server.token_endpoint), "/token");
			const token = readToken(
				await exchangeCode(world, {
					grant_type: "authorization_code",
					code: searchParams.get("code") ?? "",
					code_verifier: verifier,
					client_id,
					redirect_uri: REDIRECT,
					resource: String(resource),
				}),
			);
			assert.equal((await listTools(world, token)).status, 200);
		},
	},
];

const listTools = (world: World, token?: string) =>
	world.anyone.call("POST", "/mcp", {
		body: PING,
		headers: {
			accept: "application/json, text/event-stream",
			"mcp-protocol-version": "2025-11-25",
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		},
	});

async function readDocument(world: World, url: string): Promise<Record<string, unknown>> {
	return (await world.anyone.call("GET", toPath(world, url))).body as Record<string, unknown>;
}

function toPath(world: World, url: unknown): string {
	assert.equal(new URL(String(url)).origin, world.target.publicUrl);
	return new URL(String(url)).pathname;
}
