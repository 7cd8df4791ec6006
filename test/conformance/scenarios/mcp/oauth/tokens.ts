import assert from "node:assert/strict";
import type { Scenario } from "../../../scenario.ts";
import { login, readToken, requestCode } from "../login.ts";
import { exchangeCode, isAccepted } from "./presenting.ts";
import { readStored, toTokenKey } from "./stored.ts";
import { withMcpSettings } from "./with-mcp-settings.ts";

const DEFAULT_SECONDS = 2_592_000;

export const tokens: readonly Scenario[] = [
	{
		name: "an access token is stored in OAUTH_KV under its SHA-256 hash, with namespace, audience and expiry",
		cites: [
			"MCP-OAUTH-TOKEN-KEY",
			"MCP-OAUTH-TOKEN-NAMESPACE",
			"MCP-OAUTH-TOKEN-EXPIRY",
			"MCP-OAUTH-TOKEN-AUDIENCE",
			"MCP-OAUTH-AUDIENCE-CANONICAL",
			"MCP-CONFIG-OAUTH-KV",
			"MCP-CONFIG-OWNER-NAMESPACE-DEFAULT",
		],
		async run(world) {
			const now = Date.now();
			await world.target.setNow(now);
			const token = await login(world, { query: { client_id: "the-client" } });
			assert.deepEqual(await readStored(world, toTokenKey(token)), {
				namespace: "default",
				resource: `${world.target.publicUrl}/mcp`,
				client_id: "the-client",
				client_name: null,
				issued_at: now,
				expires_at: now + DEFAULT_SECONDS * 1000,
			});
			assert.ok((await world.target.oauth.keys()).every((key) => !key.includes(token)));
		},
	},
	{
		name: "MCP_OWNER_NAMESPACE is the namespace of new tokens; existing tokens keep theirs",
		cites: ["MCP-OAUTH-TOKEN-NAMESPACE", "MCP-CONFIG-OWNER-NAMESPACE"],
		async run(world) {
			const before = await login(world);
			await withMcpSettings(world, { MCP_OWNER_NAMESPACE: "the-owners" }, async () => {
				const token = await login(world);
				assert.equal((await readStored(world, toTokenKey(token))).namespace, "the-owners");
				assert.equal((await readStored(world, toTokenKey(before))).namespace, "default");
			});
		},
	},
	{
		name: "an access token is valid for 2592000 seconds by default, then gets 401",
		cites: ["MCP-OAUTH-TOKEN-TTL-DEFAULT", "MCP-OAUTH-TOKEN-EXPIRED"],
		async run(world) {
			const now = Date.now();
			await world.target.setNow(now);
			const token = await login(world);
			await world.target.setNow(now + DEFAULT_SECONDS * 1000 - 1);
			assert.ok(await isAccepted(world, token));
			await world.target.setNow(now + DEFAULT_SECONDS * 1000);
			assert.equal(await isAccepted(world, token), false);
		},
	},
	{
		name: "MCP_TOKEN_TTL sets the lifetime of access tokens in seconds",
		cites: ["MCP-OAUTH-TOKEN-TTL", "MCP-CONFIG-TOKEN-TTL", "MCP-OAUTH-TOKEN-EXPIRED"],
		run: (world) =>
			withMcpSettings(world, { MCP_TOKEN_TTL: "90" }, async () => {
				const now = Date.now();
				await world.target.setNow(now);
				const answer = await exchangeCode(world, (await requestCode(world)).exchange);
				const token = readToken(answer);
				assert.equal((answer.body as { expires_in: number }).expires_in, 90);
				assert.equal((await readStored(world, toTokenKey(token))).expires_at, now + 90_000);
				await world.target.setNow(now + 89_999);
				assert.ok(await isAccepted(world, token));
				await world.target.setNow(now + 90_000);
				assert.equal(await isAccepted(world, token), false);
			}),
	},
];
