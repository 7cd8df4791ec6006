import assert from "node:assert/strict";
import type { Scenario, World } from "../../../scenario.ts";
import { readLocation } from "../login.ts";
import { buildServerMetadata } from "../surface.ts";
import { getAsHost } from "./called-as.ts";
import { approve, buildQuery, openPage } from "./presenting.ts";
import { readStored, toCodeKey } from "./stored.ts";
import { withMcpSettings } from "./with-mcp-settings.ts";

const RESOURCE_PATHS = [
	"/.well-known/oauth-protected-resource",
	"/.well-known/oauth-protected-resource/mcp",
] as const;
const SERVER_PATHS = [
	"/.well-known/oauth-authorization-server",
	"/.well-known/oauth-authorization-server/mcp",
] as const;
const PUBLIC_URL = "https://flows.example.com";
const PUBLISHED = { MCP_URL: PUBLIC_URL, SERVICE_ACCESS_TOKEN: "service-access-token-of-the-tests" };

export const metadata: readonly Scenario[] = [
	{
		name: "the protected resource metadata names the resource and its authorization server, at both paths",
		cites: [
			"MCP-META-RESOURCE-PATH",
			"MCP-META-RESOURCE-SUFFIX",
			"MCP-META-RESOURCE",
			"MCP-META-AUTHORIZATION-SERVERS",
		],
		async run(world) {
			const origin = world.target.publicUrl;
			for (const path of RESOURCE_PATHS) {
				const { status, headers, body } = await world.anyone.call("GET", path);
				assert.equal(status, 200, path);
				assert.match(headers.get("content-type") ?? "", /^application\/json/);
				assert.deepEqual(body, {
					resource: `${origin}/mcp`,
					authorization_servers: [origin],
					bearer_methods_supported: ["header"],
					resource_name: "Tripline",
				});
			}
		},
	},
	{
		name: "the authorization server metadata lists endpoints and supported features, at both paths",
		cites: [
			"MCP-META-SERVER-PATH",
			"MCP-META-SERVER-SUFFIX",
			"MCP-META-AUTHORIZATION-ENDPOINT",
			"MCP-META-TOKEN-ENDPOINT",
			"MCP-META-REGISTRATION-ENDPOINT",
			"MCP-META-RESPONSE-TYPES",
			"MCP-META-CHALLENGE-METHODS",
			"MCP-META-AUTH-METHOD",
		],
		async run(world) {
			const origin = world.target.publicUrl;
			for (const path of SERVER_PATHS) {
				const { status, headers, body } = await world.anyone.call("GET", path);
				assert.equal(status, 200, path);
				assert.match(headers.get("content-type") ?? "", /^application\/json/);
				assert.deepEqual(body, buildServerMetadata(origin));
			}
		},
	},
	{
		name: "the authorization endpoints are at the root of the MCP server's host",
		cites: ["MCP-AUTH-ROOT"],
		async run(world) {
			const { resource } = await readMetadata(world, RESOURCE_PATHS[0]);
			const root = new URL("/", String(resource)).href;
			const server = await readMetadata(world, SERVER_PATHS[0]);
			for (const [name, path] of [
				["authorization_endpoint", "authorize"],
				["token_endpoint", "token"],
				["registration_endpoint", "register"],
			] as const) {
				assert.equal(server[name], root + path);
				const { status } = await world.anyone.call("POST", `/${path}`, { body: {} });
				assert.equal(status, 400, path);
			}
		},
	},
	{
		name: "both metadata documents use the origin of the request for their URLs",
		cites: ["MCP-META-ORIGIN"],
		async run(world) {
			const { port } = new URL(world.target.publicUrl);
			for (const host of [`127.0.0.1:${port}`, `127.0.0.2:${port}`, `127.0.0.3:${port}`]) {
				await assertOrigin(world, { host }, `http://${host}`);
			}
		},
	},
	{
		name: "with MCP_URL the metadata uses that address, and a direct loopback call keeps its own",
		cites: ["MCP-META-ORIGIN"],
		run: (world) =>
			withMcpSettings(world, PUBLISHED, async () => {
				const direct = new URL(world.target.publicUrl).host;
				await assertOrigin(world, { host: "flows.example.com" }, PUBLIC_URL);
				await assertOrigin(world, { host: direct }, `http://${direct}`);
				for (const [name, value] of [
					["x-forwarded-for", "192.0.2.7"],
					["x-forwarded-host", "flows.example.com"],
					["x-forwarded-proto", "https"],
					["forwarded", "for=192.0.2.7"],
				] as const) {
					await assertOrigin(world, { host: direct, [name]: value }, PUBLIC_URL);
				}
				await assertOrigin(world, { host: direct, "x-forwarded-host": "evil.example" }, PUBLIC_URL);
			}),
	},
	{
		name: "with MCP_URL a code is issued with that issuer and for its resource",
		cites: ["MCP-OAUTH-AUDIENCE-CANONICAL"],
		run: (world) =>
			withMcpSettings(world, PUBLISHED, async () => {
				const asked = buildQuery({ resource: `${PUBLIC_URL}/mcp` });
				const tunnel = { "x-forwarded-host": "flows.example.com", origin: PUBLIC_URL };
				const { searchParams } = readLocation(await approve(world, asked, tunnel));
				assert.equal(searchParams.get("iss"), PUBLIC_URL);
				const { resource } = await readStored(world, toCodeKey(searchParams.get("code") ?? ""));
				assert.equal(resource, `${PUBLIC_URL}/mcp`);
				const direct = await openPage(world, asked);
				assert.equal(readLocation(direct).searchParams.get("error"), "invalid_target");
			}),
	},
	{
		name: "browsers of any origin may read metadata, register, exchange and revoke, and preflight without a credential",
		cites: [],
		async run(world) {
			const origin = "https://inspector.example";
			for (const path of [...RESOURCE_PATHS, ...SERVER_PATHS, "/register", "/token", "/revoke"]) {
				const asked = await world.anyone.call("OPTIONS", path, {
					headers: {
						origin,
						"access-control-request-method": "POST",
						"access-control-request-headers": "content-type, mcp-protocol-version",
					},
				});
				assert.equal(asked.status, 204, path);
				assert.equal(asked.headers.get("access-control-allow-origin"), "*");
				assert.match(asked.headers.get("access-control-allow-headers") ?? "", /mcp-protocol-version/);
				const method = path.startsWith("/.") ? "GET" : "POST";
				const { status, headers } = await world.anyone.call(method, path, { headers: { origin } });
				assert.equal(status, method === "GET" ? 200 : 400, path);
				assert.equal(headers.get("access-control-allow-origin"), "*");
			}
		},
	},
];

async function readMetadata(world: World, path: string): Promise<Record<string, unknown>> {
	return (await world.anyone.call("GET", path)).body as Record<string, unknown>;
}

async function assertOrigin(
	world: World,
	headers: Readonly<Record<string, string>>,
	origin: string,
): Promise<void> {
	for (const path of RESOURCE_PATHS) {
		const body = await getAsHost(world, path, headers);
		assert.equal(body.resource, `${origin}/mcp`, JSON.stringify(headers));
		assert.deepEqual(body.authorization_servers, [origin]);
	}
	for (const path of SERVER_PATHS) {
		const body = await getAsHost(world, path, headers);
		assert.equal(body.issuer, origin);
		for (const name of ["authorization", "token", "registration", "revocation"]) {
			assert.ok(String(body[`${name}_endpoint`]).startsWith(`${origin}/`), name);
		}
	}
}
