import assert from "node:assert/strict";
import { test } from "node:test";
import { executorClient } from "@tripline/executor/client";
import { nodeBackground } from "@tripline/platform/background.node";
import { systemClock } from "@tripline/platform/clock";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { registryClient } from "@tripline/registry/client";
import { storeClient } from "@tripline/store/client";
import { openMigrated } from "../../../../packages/platform/test/open-migrated.ts";
import { createMcp } from "../../src/app.ts";
import { verifyConnection } from "../../src/connect/verify.ts";
import * as sdk from "../../src/protocol/sdk.ts";
import { mcpEnvironment, mcpSettings } from "../../src/settings.ts";
import { surface } from "../../src/surface.ts";

const TOKEN = "a-static-token-for-tests";

/** Runs the checks against the real server. No check may need the store, the executor or the registry. */
async function verify(
	environment: Record<string, string> = {},
	{ hasKv = true, origin = "http://127.0.0.1:8484" } = {},
) {
	const sql = await openMigrated(kvMigrations);
	const unused = {
		answer: () => Promise.reject(new Error("a check called another service")),
		baseUrl: "http://x",
	};
	const mcp = createMcp({
		sdk: async () => sdk,
		surface: async () => surface,
		store: storeClient(unused),
		executor: executorClient(unused),
		registry: registryClient(unused),
		oauthKv: hasKv ? sqliteKv({ sql, clock: systemClock, namespace: "oauth" }) : null,
		http: { send: () => Promise.reject(new Error("a check called outside")) },
		clock: systemClock,
		log: () => {},
		version: "0.0.0",
		background: nodeBackground(() => {}),
		settings: mcpSettings(
			mcpEnvironment.parse({
				MULTI_TENANT: "false",
				MCP_OWNER_SECRET: "an owner secret for tests",
				MCP_STATIC_TOKEN: TOKEN,
				...environment,
			}),
		),
		ready: async () => true,
	});
	try {
		return await verifyConnection({ origin, authorization: `Bearer ${TOKEN}`, fetch: mcp.fetch });
	} finally {
		await mcp.close();
		sql.close();
	}
}

const listFailed = async (...args: Parameters<typeof verify>): Promise<string[]> =>
	(await verify(...args)).checks.filter(({ ok }) => !ok).map(({ id }) => id);

test("the real server passes every check", async () => {
	const { ok, checks, clients } = await verify();
	assert.deepEqual(
		checks.filter((check) => !check.ok),
		[],
	);
	assert.equal(ok, true);
	assert.deepEqual(
		clients.filter(({ accepted }) => !accepted).map(({ id }) => id),
		["chatgpt"],
	);
});

test("the real server passes every check under its public address", async () => {
	const origin = "https://tripline.example";
	assert.deepEqual(await listFailed({ MCP_URL: origin }, { origin }), []);
});

test("the suggested fix makes a client acceptable", async () => {
	const { clients } = await verify({ MCP_ALLOWED_REDIRECT_HOSTS: "+chatgpt.com" });
	assert.ok(clients.every(({ accepted }) => accepted));
});

test("the real server reports a missing owner secret or token storage", async () => {
	assert.deepEqual(await listFailed({ MCP_OWNER_SECRET: "" }), ["login"]);
	assert.deepEqual(await listFailed({}, { hasKv: false }), ["registration", "login"]);
});

test("finds a public address that is not the one in use", async () => {
	const ids = await listFailed({ MCP_URL: "https://other.example" }, { origin: "https://tripline.example" });
	assert.deepEqual(ids, ["challenge", "resource_documents", "server_documents"]);
});
