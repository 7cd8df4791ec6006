import assert from "node:assert/strict";
import { CredentialList, SignInLink } from "@tripline/contract/credentials";
import { McpServer, McpToolChanges } from "@tripline/contract/mcp-servers";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { createSurface, type Scenario, type World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { type OAuthMcpHost, openOAuthMcpHost } from "./oauth-mcp-host.ts";
import { BASE, callBack, followLink } from "./oauth-service.ts";
import { createRow, failOnce, runOnce } from "./token-webhook.ts";

const HTTPS = "https://tripline.example.com";
const TENANTS = { MULTI_TENANT: "true", STORE_INTERNAL_TOKEN: "internal-token-of-the-tests" };

const greet = createRow({ call: { component: "mcp:crm.greet", name: "Ada" } });

async function start(world: World, body?: object) {
	const { url } = await world.executor.expect(201, SignInLink, "POST", "/mcp-servers/crm/sign-in", { body });
	return followLink(world, url);
}

/** Signs in, and waits until the tools have been listed. */
async function signIn(world: World, host: OAuthMcpHost, body?: object, recipe = "mcp_crm") {
	const before = await findCheckedAt(world);
	const { location, state, cookie } = await start(world, body);
	const done = await callBack(world, { code: host.authorize(location), state }, { cookie, recipe });
	assert.equal(done.status, 200, JSON.stringify(done.body));
	await eventually(async () => assert.notEqual(await findCheckedAt(world), before));
	return new URL(location).searchParams;
}

async function findCheckedAt(world: World): Promise<string | null> {
	const { status, body } = await world.executor.call("GET", "/mcp-servers/crm");
	return status === 404 ? null : McpServer.parse(body).checked_at;
}

async function findCredential(world: World) {
	const { credentials } = await world.executor.expect(200, CredentialList, "GET", "/credentials");
	return credentials.find(({ name }) => name === "mcp_crm");
}

const scenarios: readonly Scenario[] = [
	{
		name: "signing in at an MCP server registers there and adds it, and its token goes nowhere else",
		cites: [],
		async run(world) {
			const earlier = world.target.outside.requests.length;
			const host = openOAuthMcpHost(world);
			const { url } = host;
			const refused = await world.executor.call("PUT", "/mcp-servers/crm", { body: { url } });
			assert.equal(refused.status, 422);
			assert.match(JSON.stringify(refused.body), /"credential".*401/);

			const asked = await signIn(world, host, { url });
			assert.equal(asked.get("resource"), url);
			assert.equal(asked.get("scope"), "read");
			assert.equal(asked.get("code_challenge_method"), "S256");
			assert.equal(asked.get("redirect_uri"), `${BASE}/oauth/callback/mcp_crm`);
			assert.equal(host.listSent("/token")[0]?.get("resource"), url);
			assert.equal(host.countRegistrations(), 1);

			const server = await world.executor.expect(200, McpServer, "GET", "/mcp-servers/crm");
			assert.deepEqual([server.credential, server.url], ["mcp_crm", url]);
			assert.deepEqual(
				server.tools.map(({ component }) => component),
				["mcp:crm.greet"],
			);
			const { data } = await runOnce(world, greet);
			assert.match(JSON.stringify(data), /Hello Ada, \[redacted\]/);

			for (const path of ["/credentials", "/auth-recipes/mcp_crm", "/mcp-servers", "/mcp-servers/crm"])
				assert.doesNotMatch(JSON.stringify((await world.executor.call("GET", path)).body), /canary/);
			const withToken = world.target.outside.requests
				.slice(earlier)
				.filter(({ headers }) => headers.authorization?.startsWith("Bearer access-canary"));
			assert.ok(withToken.length > 0);
			for (const sent of withToken) assert.equal(new URL(sent.url).host, host.server.host);
		},
	},
	{
		name: "the sign-in at an MCP server is renewed, ends when that is refused, and is repeated as the same client",
		cites: [],
		async run(world) {
			const host = openOAuthMcpHost(world);
			await signIn(world, host, { url: host.url });
			host.state.isRevoked = true;
			await runOnce(world, greet);
			const [, renewal] = host.listSent("/token");
			assert.deepEqual([renewal?.get("grant_type"), renewal?.get("resource")], ["refresh_token", host.url]);
			host.state.isRevoked = true;
			host.state.refusesRenewal = true;
			assert.match((await failOnce(world, greet)).error ?? "", /credential "mcp_crm" is not signed in/);
			assert.equal((await findCredential(world))?.sign_in?.state, "required");
			host.state.refusesRenewal = false;
			await signIn(world, host);
			await runOnce(world, greet);
			assert.equal(host.countRegistrations(), 1);
		},
	},
	{
		name: "a tool that needs more rights says which, and another sign-in asks for them beside the others",
		cites: [],
		async run(world) {
			const host = openOAuthMcpHost(world);
			await signIn(world, host, { url: host.url });
			host.state.scope = "write";
			const { error } = await failOnce(world, greet);
			assert.match(error ?? "", /lacks rights, "write"\. POST \/mcp-servers\/crm\/sign-in/);
			const asked = await signIn(world, host, { scope: "write" });
			assert.equal(asked.get("scope"), "read write");
			await runOnce(world, greet);
		},
	},
	{
		name: "deleting an MCP server deletes its credential and its auth recipe",
		cites: [],
		async run(world) {
			const host = openOAuthMcpHost(world);
			await signIn(world, host, { url: host.url });
			assert.equal((await world.executor.call("DELETE", "/mcp-servers/crm")).status, 200);
			assert.deepEqual(
				host.server.seen
					.filter(({ method }) => method === "DELETE")
					.map(({ headers }) => [headers["mcp-session-id"], headers.authorization?.slice(0, 20)]),
				[["session-1", "Bearer access-canary"]],
			);
			assert.equal(await findCredential(world), undefined);
			assert.equal((await world.executor.call("GET", "/auth-recipes/mcp_crm")).status, 404);
			assert.equal((await world.executor.call("DELETE", "/mcp-servers/crm")).status, 404);
		},
	},
	{
		name: "a server whose tools cannot be listed after the sign-in says why, until they can",
		cites: [],
		async run(world) {
			const host = openOAuthMcpHost(world);
			host.state.problem = "the index is being built";
			await signIn(world, host, { url: host.url });
			const read = () => world.executor.expect(200, McpServer, "GET", "/mcp-servers/crm");
			const failed = await read();
			assert.match(failed.error ?? "", /refuses the request: the index is being built/);
			assert.deepEqual([failed.tools, failed.credential], [[], "mcp_crm"]);
			host.state.problem = null;
			await signIn(world, host);
			const { error, tools, offered } = await read();
			assert.deepEqual([error, tools.length, offered], [null, 1, null]);
			host.state.problem = "again";
			await signIn(world, host);
			assert.match((await read()).error ?? "", /again/);
			assert.equal((await read()).tools.length, 1);
			host.state.problem = null;
			await runOnce(world, greet);
			await world.executor.expect(200, McpToolChanges, "POST", "/mcp-servers/crm/refresh");
			assert.equal((await read()).error, null);
		},
	},
	{
		name: "an authorization server that takes documents gets the address of ours, which is that of one tenant",
		cites: [],
		environment: { ...TENANTS, BASE_URL: HTTPS },
		async run(world) {
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
				headers: { authorization: `Bearer ${TENANTS.STORE_INTERNAL_TOKEN}` },
			});
			const executor = createSurface(() => world.target.publicUrl, { "x-service-api-key": key });
			const tenant = { ...world, executor };
			const host = openOAuthMcpHost(world);
			host.state.takesDocuments = true;
			const asked = await signIn(tenant, host, { url: host.url }, `mcp_crm/${world.owner}`);
			const client_id = `${HTTPS}/oauth/client/mcp_crm/${world.owner}`;
			assert.equal(asked.get("client_id"), client_id);
			assert.equal(host.countRegistrations(), 0);
			await runOnce(tenant, greet);
			const { status, body, headers } = await world.anyone.call("GET", new URL(client_id).pathname);
			assert.equal(status, 200);
			assert.match(headers.get("content-type") ?? "", /^application\/json/);
			assert.deepEqual(body, {
				client_id,
				client_name: "Tripline",
				client_uri: HTTPS,
				redirect_uris: [`${HTTPS}/oauth/callback/mcp_crm/${world.owner}`],
				grant_types: ["authorization_code", "refresh_token"],
				response_types: ["code"],
				application_type: "web",
				token_endpoint_auth_method: "none",
			});
			const seeded = await world.anyone.call("GET", "/oauth/client/mcp_crm");
			assert.deepEqual((seeded.body as { redirect_uris: unknown }).redirect_uris, [
				`${HTTPS}/oauth/callback/mcp_crm`,
			]);
		},
	},
	{
		name: "a sign-in at an MCP server that is not there, or says nothing of it, is refused",
		cites: [],
		async run(world) {
			const call = (body?: object) => world.executor.call("POST", "/mcp-servers/crm/sign-in", { body });
			assert.equal((await call()).status, 404);
			assert.equal((await call({ url: "ftp://example.com" })).status, 422);
			assert.equal((await call({ client_secret: "only-a-secret" })).status, 422);
			assert.equal((await call({ url: "http://10.0.0.1/mcp" })).status, 422);
			const silent = `silent.${world.owner}.example.com`;
			world.target.outside.serve(silent, () => ({ status: 404, json: {} }));
			const refused = await call({ url: `https://${silent}/mcp` });
			assert.equal(refused.status, 502, JSON.stringify(refused.body));
			assert.match(JSON.stringify(refused.body), /does not say how to sign in/);
			assert.equal(await findCredential(world), undefined);
		},
	},
];

export const mcpSignIn: readonly Scenario[] = scenarios.map((scenario) => ({
	environment: { BASE_URL: BASE },
	...scenario,
}));
