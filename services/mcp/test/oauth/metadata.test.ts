import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildServerMetadata } from "../../../../test/conformance/scenarios/mcp/surface.ts";
import { ORIGIN, openServer } from "./open-server.ts";

const RESOURCE = "/.well-known/oauth-protected-resource";
const SERVER = "/.well-known/oauth-authorization-server";

describe("metadata documents", () => {
	it("name the resource and its authorization server, at both paths", async (context) => {
		const { call } = await openServer(context);
		for (const path of [RESOURCE, `${RESOURCE}/mcp`]) {
			const response = await call(path);
			assert.equal(response.status, 200);
			assert.deepEqual(await response.json(), {
				resource: `${ORIGIN}/mcp`,
				authorization_servers: [ORIGIN],
				bearer_methods_supported: ["header"],
				resource_name: "Tripline",
			});
		}
	});

	it("name the endpoints and their capabilities, at both paths", async (context) => {
		const { call } = await openServer(context);
		for (const path of [SERVER, `${SERVER}/mcp`]) {
			const response = await call(path);
			assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
			assert.deepEqual(await response.json(), buildServerMetadata(ORIGIN));
		}
	});

	it("use the origin of the request", async (context) => {
		const { call } = await openServer(context);
		const document = await (await call(SERVER, { origin: "http://127.0.0.1:8484" })).json();
		assert.equal((document as { issuer: string }).issuer, "http://127.0.0.1:8484");
	});

	it("use the public address if one is set", async (context) => {
		const { call } = await openServer(context, { environment: { MCP_URL: "https://public.example/" } });
		const document = await (await call(`${RESOURCE}/mcp`, { origin: "http://10.0.0.5:8484" })).json();
		assert.deepEqual((document as { authorization_servers: string[] }).authorization_servers, [
			"https://public.example",
		]);
	});

	it("are served without OAUTH_KV too", async (context) => {
		const { call } = await openServer(context, { kv: () => null });
		for (const path of [RESOURCE, `${RESOURCE}/mcp`, SERVER, `${SERVER}/mcp`])
			assert.equal((await call(path)).status, 200);
	});
});
