import assert from "node:assert/strict";
import type { Scenario, World } from "../../../scenario.ts";
import { readToken, requestCode } from "../login.ts";
import {
	approve,
	assertPage,
	assertRefused,
	buildQuery,
	exchangeCode,
	openPage,
	requestBothWays,
} from "./presenting.ts";
import { withMcpSettings } from "./with-mcp-settings.ts";

export const redirects: readonly Scenario[] = [
	{
		name: "the hosts of the remote client and their subdomains are allowed as redirect hosts",
		cites: ["MCP-REDIRECT-VENDOR-HOSTS", "MCP-REDIRECT-VENDOR-SUBDOMAINS"],
		run: (world) =>
			assertAllowed(world, [
				"https://claude.ai/api/mcp/auth_callback",
				"https://claude.com/api/mcp/auth_callback",
				"https://api.claude.ai/callback",
				"https://a.b.claude.com/callback?from=here",
			]),
	},
	{
		name: "every name of localhost is allowed as a redirect host, on any port, with http and https",
		cites: ["MCP-REDIRECT-LOCALHOST"],
		run: (world) =>
			assertAllowed(world, [
				"http://localhost:51234/callback",
				"http://localhost/callback",
				"http://127.0.0.1:33418/",
				"http://[::1]:6276/oauth/callback",
				"https://localhost:8443/callback",
			]),
	},
	{
		name: "redirect hosts match in any case, and the code goes to the redirect URI exactly as sent",
		cites: ["MCP-REDIRECT-VENDOR-HOSTS", "MCP-REDIRECT-LOCALHOST"],
		async run(world) {
			const redirect_uri = "https://CLAUDE.AI/cb";
			await assertAllowed(world, [
				redirect_uri,
				"https://Api.Claude.com/Callback?From=Here",
				"http://LocalHost:51234/callback",
			]);
			readToken(await exchangeCode(world, (await requestCode(world, { query: { redirect_uri } })).exchange));
			const { exchange } = await requestCode(world, { query: { redirect_uri } });
			const other = { ...exchange, redirect_uri: "https://claude.ai/cb" };
			assertRefused(await exchangeCode(world, other), 400, "invalid_grant");
		},
	},
	{
		name: "a plain http redirect URI is rejected for every host except localhost",
		cites: ["MCP-REDIRECT-HTTP-LOCALHOST"],
		async run(world) {
			await assertAllowed(world, ["http://localhost:51234/callback"]);
			await assertForbidden(world, ["http://claude.ai/callback", "http://www.claude.com/callback"]);
		},
	},
	{
		name: "a redirect URI on another host, or disguised as an allowed one, gives an error page and no redirect",
		cites: ["MCP-AUTHORIZE-REDIRECT-ALLOWED"],
		async run(world) {
			const keys = await world.target.oauth.keys();
			await assertForbidden(world, [
				"https://evil.example/callback",
				"https://claude.ai.evil.example/",
				"https://evilclaude.ai/",
				"https://claude.ai./",
				"https://localhost.evil.example/",
				"https://claude.ai@evil.example/",
				"https://claude.ai\\@evil.example/",
				"https://claude.ai:8443/",
				"https://cla\tude.ai/",
				"https:/claude.ai/",
				"//claude.ai/",
				"https://ⓒlaude.ai/",
				"https://ＣＬＡＵＤＥ.AI/",
				"https://CLAUDE.AI./",
				"https://CLAUDE.AI@evil.example/",
				"https://CLAUDE.AI.EVIL.EXAMPLE/",
				"https://EVILCLAUDE.AI/",
				"https://claude.ai/#fragment",
				"https://claude.ai/?code=mine",
				"javascript://claude.ai/%0aalert(1)",
				"data://claude.ai/x",
				"http://2130706433/",
				"http://0.0.0.0/",
				"cursor://anysphere.cursor-mcp/oauth/callback",
				`https://claude.ai/${"x".repeat(2000)}`,
			]);
			for (const query of [buildQuery({ redirect_uri: undefined }), buildQuery({ redirect_uri: "" })]) {
				for (const answer of await requestBothWays(world, query))
					assertPage(answer, 400, /redirect_uri is missing/);
			}
			assert.deepEqual(await world.target.oauth.keys(), keys);
		},
	},
	{
		name: "MCP_ALLOWED_REDIRECT_HOSTS extends the list if it begins with a plus, else replaces the vendor's hosts",
		cites: ["MCP-REDIRECT-SETTING", "MCP-CONFIG-REDIRECT-HOSTS"],
		async run(world) {
			const claude = "https://claude.ai/callback";
			const others = ["https://assistant.example/callback", "https://eu.assistant.example/callback"];
			await assertForbidden(world, others);
			await withMcpSettings(world, { MCP_ALLOWED_REDIRECT_HOSTS: "+assistant.example" }, () =>
				assertAllowed(world, [claude, ...others, "http://localhost:1/"]),
			);
			await withMcpSettings(
				world,
				{ MCP_ALLOWED_REDIRECT_HOSTS: "Assistant.EXAMPLE, +THIRD.example" },
				async () => {
					await assertAllowed(world, [
						...others,
						"https://ASSISTANT.example/",
						"https://third.example/",
						"http://localhost:1/",
					]);
					await assertForbidden(world, [claude, "http://assistant.example/"]);
				},
			);
		},
	},
];

async function assertAllowed(world: World, uris: readonly string[]): Promise<void> {
	for (const redirect_uri of uris) {
		const asked = buildQuery({ redirect_uri });
		assert.equal((await openPage(world, asked)).status, 200, redirect_uri);
		const { headers } = await approve(world, asked);
		const joint = redirect_uri.includes("?") ? "&" : "?";
		assert.ok(headers.get("location")?.startsWith(`${redirect_uri}${joint}code=`), redirect_uri);
	}
}

async function assertForbidden(world: World, uris: readonly string[]): Promise<void> {
	for (const redirect_uri of uris) {
		for (const answer of await requestBothWays(world, buildQuery({ redirect_uri }))) {
			assertPage(answer, 400, /redirect_uri/);
		}
	}
}
