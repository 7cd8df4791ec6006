import assert from "node:assert/strict";
import type { Scenario, World } from "../../../scenario.ts";
import { readToken, requestCode } from "../login.ts";
import {
	approve,
	assertPage,
	assertRefused,
	buildQuery,
	exchangeCode,
	isAccepted,
	openPage,
	requestBothWays,
} from "./presenting.ts";
import { readStored, toCodeKey } from "./stored.ts";
import { withMcpSettings } from "./with-mcp-settings.ts";

export const unavailable: readonly Scenario[] = [
	{
		name: "/authorize returns 503 if MCP_OWNER_SECRET is unset, whatever secret is sent",
		cites: ["MCP-AUTHORIZE-UNCONFIGURED"],
		run: (world) =>
			withMcpSettings(world, { MCP_OWNER_SECRET: "" }, async () => {
				for (const answer of await requestBothWays(world, buildQuery())) {
					assertPage(answer, 503, /MCP_OWNER_SECRET is not set/);
				}
				const metadata = await world.anyone.call("GET", "/.well-known/oauth-authorization-server");
				assert.equal(metadata.status, 200);
			}),
	},
	{
		name: "the OAuth endpoints return 503 if OAUTH_KV is unset",
		cites: ["MCP-OAUTH-KV-UNSET"],
		async run(world) {
			const { exchange } = await requestCode(world);
			await withMcpSettings(world, { OAUTH_KV: "off" }, async () => {
				for (const answer of await requestBothWays(world, buildQuery())) {
					assertPage(answer, 503, /OAUTH_KV is not set/);
				}
				for (const [path, body] of [
					["/register", { redirect_uris: ["http://localhost:1/"] }],
					["/token", exchange],
					["/revoke", { token: `tlo_${"x".repeat(43)}` }],
				] as const) {
					const answer = await world.anyone.call("POST", path, { body });
					assertRefused(answer, 503, "temporarily_unavailable", path);
				}
			});
			readToken(await exchangeCode(world, exchange));
		},
	},
	{
		name: "while the store is unreachable /authorize returns 503 with Retry-After and issues no code",
		cites: [],
		run: (world) =>
			withoutStore(world, async () => {
				const keys = await world.target.oauth.keys();
				assert.equal((await openPage(world, buildQuery())).status, 200);
				const answer = await approve(world, buildQuery());
				assertPage(answer, 503, /cannot reach its storage/);
				assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
				assert.deepEqual(await world.target.oauth.keys(), keys);
			}),
	},
	{
		name: "while the store is unreachable /token returns 503, and the code stays valid",
		cites: [],
		async run(world) {
			const { code, exchange } = await requestCode(world);
			await withoutStore(world, async () => {
				for (let nth = 0; nth < 2; nth++) {
					const answer = await exchangeCode(world, exchange);
					assertRefused(answer, 503, "temporarily_unavailable");
					assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
				}
				await readStored(world, toCodeKey(code));
			});
			assert.ok(await isAccepted(world, readToken(await exchangeCode(world, exchange))));
		},
	},
];

async function withoutStore(world: World, use: () => Promise<void>): Promise<void> {
	await world.target.setStoreAway(true);
	try {
		await use();
	} finally {
		await world.target.setStoreAway(false);
	}
}
