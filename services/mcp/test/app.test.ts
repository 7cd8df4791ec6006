import assert from "node:assert/strict";
import { test } from "node:test";
import { executorClient } from "@tripline/executor/client";
import { registryClient } from "@tripline/registry/client";
import { storeClient } from "@tripline/store/client";
import { createMcp } from "../src/app.ts";
import * as sdk from "../src/protocol/sdk.ts";
import { mcpEnvironment, mcpSettings } from "../src/settings.ts";
import { surface } from "../src/surface.ts";

/** The MCP server alone, as in a worker, with a store that answers as given. */
function createMcpOver(answer: () => Promise<Response>) {
	const transport = { fetch: answer, baseUrl: "http://service" };
	return createMcp({
		store: storeClient(transport),
		executor: executorClient(transport),
		registry: registryClient(transport),
		oauthKv: null,
		sdk: async () => sdk,
		surface: async () => surface,
		http: { send: () => assert.fail("nothing is called outside") },
		clock: { now: Date.now },
		log: () => {},
		version: "0.0.0-test",
		background: { run() {} },
		settings: mcpSettings(mcpEnvironment.parse({ MULTI_TENANT: "true" })),
		ready: async () => true,
	});
}

const buildRequest = (path: string) =>
	new Request(`http://mcp.example${path}`, { headers: { authorization: `Bearer tlk_${"A".repeat(32)}` } });

for (const path of ["/gui/session", "/mcp"]) {
	test(`${path}: answers 503 and not 401 while the store cannot check a bearer`, async () => {
		const response = await createMcpOver(() => Promise.reject(new Error("away"))).fetch(buildRequest(path));
		assert.equal(response.status, 503);
		assert.equal(response.headers.get("retry-after"), "1");
	});

	test(`${path}: tells the operator what to fix when the store rejects the server`, async () => {
		const rejectRequest = async () => Response.json({ error: "unauthorized" }, { status: 401 });
		const response = await createMcpOver(rejectRequest).fetch(buildRequest(path));
		assert.equal(response.status, 503);
		assert.match(((await response.json()) as { error: string }).error, /STORE_INTERNAL_TOKEN/);
	});
}
