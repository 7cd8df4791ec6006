import assert from "node:assert/strict";
import { EntryPage } from "@tripline/contract/entries";
import { GuiRevoked, GuiSession, GuiTokens } from "@tripline/contract/gui";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { ERAS, MODERN } from "../../../mcp/wire.ts";
import type { Environment } from "../../platforms.ts";
import type { Scenario, World } from "../../scenario.ts";
import { callTool, mcpCall } from "./asking.ts";
import { login, MCP_ENVIRONMENT, OWNER_SECRET } from "./login.ts";
import { bearer, HOME, OPEN, publicAt, putToken, STATIC_TOKEN, withRestart } from "./settings.ts";

const INTERNAL = "internal-token-of-the-tests";
const MULTI_TENANT: Environment = {
	...MCP_ENVIRONMENT,
	MULTI_TENANT: "true",
	STORE_INTERNAL_TOKEN: INTERNAL,
	MCP_STATIC_TOKEN: STATIC_TOKEN,
	MCP_OWNER_NAMESPACE: HOME,
};
const SECONDS = 1_000;

/** The identity of a caller at the console, which must be the same at /mcp. */
async function readCaller(world: World, credential: string): Promise<readonly [string, string]> {
	const headers = bearer(credential);
	const { by, namespace } = await world.anyone.expect(200, GuiSession, "GET", "/gui/session", { headers });
	const page_name = `of ${world.owner} by ${by} ${Math.random()}`;
	await callTool(world, "save_entry", { page_name, content: by }, { bearer: credential });
	const page = await world.expect(200, EntryPage, "GET", "/entries", {
		query: { owner_id: namespace, entry_type: "note", page_name },
		headers: bearer(INTERNAL),
	});
	assert.equal(page.entries.length, 1, "/mcp wrote to another namespace");
	return [by, namespace];
}

async function assertRefused(world: World, credential: string): Promise<void> {
	for (const era of ERAS) {
		const { status, headers } = await mcpCall(world, credential, era, "tools/list");
		assert.equal(status, 401);
		assert.match(headers.get("www-authenticate") ?? "", /^Bearer resource_metadata="[^"]+"$/);
	}
	await world.anyone.refuse(401, "GET", "/gui/session", { headers: bearer(credential) });
}

const assertAccepted = async (world: World, credential: string): Promise<void> =>
	assert.equal((await mcpCall(world, credential, MODERN, "tools/list")).status, 200);

async function createKey(world: World, namespace = world.owner) {
	return world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
		body: { namespace },
		headers: bearer(INTERNAL),
	});
}

const revokeKey = (world: World, id: string) =>
	world.call("DELETE", `/partner-keys/${id}`, { headers: bearer(INTERNAL) });

export const bearers: readonly Scenario[] = [
	{
		name: "an access token acts in the owner's namespace, at /mcp and at the console's endpoints",
		cites: [
			"MCP-BEARER-OAUTH",
			"MCP-ENDPOINT-BEARER",
			"MCP-GUI-AUTH",
			"MCP-OAUTH-TOKEN-NAMESPACE",
			"MCP-CONFIG-OWNER-NAMESPACE-DEFAULT",
		],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const token = await login(world);
			assert.deepEqual(await readCaller(world, token), ["oauth", "default"]);
			const { token: other } = await putToken(world);
			assert.deepEqual(await readCaller(world, other), ["oauth", world.owner]);
		},
	},
	{
		name: "an access token is valid until it expires, then gets 401",
		cites: ["MCP-OAUTH-TOKEN-EXPIRED", "MCP-BEARER-401"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const issued_at = Date.now();
			const { token } = await putToken(world, { issued_at, expires_at: issued_at + 60 * SECONDS });
			await world.target.setNow(issued_at + 60 * SECONDS - 1);
			await assertAccepted(world, token);
			await world.target.setNow(issued_at + 60 * SECONDS);
			await assertRefused(world, token);
		},
	},
	{
		name: "a revoked token is rejected immediately",
		cites: ["MCP-BEARER-OAUTH", "MCP-BEARER-401"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const { token, key } = await putToken(world);
			const { token: console } = await putToken(world);
			await assertAccepted(world, token);
			const headers = bearer(console);
			const ids = await listTokenIds(world, console);
			const id = key.slice("token:".length);
			assert.ok(ids.has(id));
			await world.anyone.expect(200, GuiRevoked, "DELETE", `/gui/tokens/${id}`, { headers });
			await assertRefused(world, token);
			await assertAccepted(world, console);
			assert.equal(await world.target.oauth.get(key), null);
		},
	},
	{
		name: "a token revoked by another process is rejected within five seconds",
		cites: ["MCP-BEARER-OAUTH", "MCP-BEARER-401"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const now = Date.now();
			await world.target.setNow(now);
			const { token, key, record } = await putToken(world);
			await assertAccepted(world, token);
			await world.target.oauth.put(key, JSON.stringify({ ...record, expires_at: now - 1 }));
			await world.target.setNow(now + 5 * SECONDS);
			await assertRefused(world, token);
		},
	},
	{
		name: "a token issued for another server is rejected",
		cites: ["MCP-OAUTH-TOKEN-AUDIENCE", "MCP-BEARER-401"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const { port } = new URL(world.target.publicUrl);
			const foreign = [
				"https://other.example/mcp",
				`https://127.0.0.1:${port}/mcp`,
				`http://127.0.0.1:${Number(port) - 1}/mcp`,
				`http://127.0.0.1:${port}/`,
				`http://127.0.0.1:${port}`,
				`http://127.0.0.1:${port}/mcp/other`,
				`http://127.0.0.2:${port}/mcp`,
				`http://localhost.evil.example:${port}/mcp`,
				`http://user@127.0.0.1:${port}/mcp`,
				"",
				"mcp",
			];
			for (const resource of foreign) {
				const { token } = await putToken(world, { resource });
				await assertRefused(world, token);
			}
		},
	},
	{
		name: "loopback names count as one server",
		cites: ["MCP-OAUTH-TOKEN-AUDIENCE", "MCP-OAUTH-AUDIENCE-CANONICAL"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const { port } = new URL(world.target.publicUrl);
			for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
				const { token } = await putToken(world, { resource: `http://${name}:${port}/mcp` });
				await assertAccepted(world, token);
			}
		},
	},
	{
		name: "a token of a public address is valid there and on loopback, but not at another address",
		cites: ["MCP-OAUTH-TOKEN-AUDIENCE", "MCP-OAUTH-AUDIENCE-CANONICAL", "MCP-BEARER-401"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const [one, two] = [publicAt("https://one.example"), publicAt("https://two.example")];
			const forwarded = { "x-forwarded-for": "203.0.113.7" };
			let token = "";
			await withRestart(world, MCP_ENVIRONMENT, one, async () => {
				token = await login(world, { headers: forwarded });
				await assertAccepted(world, token);
				const headers = { ...bearer(token), ...forwarded };
				const session = await world.anyone.expect(200, GuiSession, "GET", "/gui/session", { headers });
				assert.equal(session.mcp_url, "https://one.example/mcp");
			});
			await withRestart(world, MCP_ENVIRONMENT, two, () => assertRefused(world, token));
		},
	},
	{
		name: "MCP_STATIC_TOKEN acts in the namespace MCP_OWNER_NAMESPACE, for tools, console and command line",
		cites: [
			"MCP-BEARER-STATIC",
			"MCP-BEARER-STATIC-LOCAL",
			"MCP-CONFIG-STATIC-TOKEN",
			"MCP-CONFIG-OWNER-NAMESPACE",
			"MCP-GUI-AUTH",
		],
		environment: OPEN,
		async run(world) {
			assert.deepEqual(await readCaller(world, STATIC_TOKEN), ["static", HOME]);
			const settings = { ...OPEN, MCP_OWNER_NAMESPACE: world.owner, ALLOW_PLAINTEXT_NAMESPACE: "false" };
			await withRestart(world, OPEN, settings, async () => {
				assert.deepEqual(await readCaller(world, STATIC_TOKEN), ["static", world.owner]);
				await assertRefused(world, world.owner);
			});
		},
	},
	{
		name: "a bearer that only resembles the static token is rejected",
		cites: ["MCP-CONSTANT-TIME-STATIC", "MCP-BEARER-STATIC", "MCP-BEARER-401"],
		environment: OPEN,
		async run(world) {
			const settings = { ...OPEN, ALLOW_PLAINTEXT_NAMESPACE: "false" };
			await withRestart(world, OPEN, settings, async () => {
				const beginnings = Array.from(STATIC_TOKEN, (_, length) => STATIC_TOKEN.slice(0, length)).slice(1);
				const changed = Array.from(
					STATIC_TOKEN,
					(_, at) => `${STATIC_TOKEN.slice(0, at)}#${STATIC_TOKEN.slice(at + 1)}`,
				);
				const others = [`${STATIC_TOKEN}x`, STATIC_TOKEN.repeat(2), STATIC_TOKEN.toUpperCase(), OWNER_SECRET];
				const answers = new Set<string>();
				for (const near of [...beginnings, ...changed, ...others]) {
					const { status, body } = await world.anyone.call("GET", "/gui/session", { headers: bearer(near) });
					answers.add(JSON.stringify([status, body]));
				}
				assert.deepEqual([...answers].length, 1, [...answers].join(" "));
				assert.match([...answers].join(), /^\[401,/);
				await assertAccepted(world, STATIC_TOKEN);
			});
		},
	},
	{
		name: "without MCP_STATIC_TOKEN no bearer matches it",
		cites: ["MCP-BEARER-STATIC-UNSET"],
		environment: OPEN,
		run: (world) =>
			withRestart(world, OPEN, MCP_ENVIRONMENT, async () => {
				for (const guess of [STATIC_TOKEN, "undefined", "null", "MCP_STATIC_TOKEN"])
					await assertRefused(world, guess);
			}),
	},
	{
		name: "in multi-tenant mode a partner key acts in its namespace until it is revoked",
		cites: ["MCP-BEARER-PARTNER", "MCP-GUI-AUTH", "MCP-BEARER-401"],
		environment: OPEN,
		run: (world) =>
			withRestart(world, OPEN, MULTI_TENANT, async () => {
				const { id, key } = await createKey(world);
				assert.deepEqual(await readCaller(world, key), ["partner", world.owner]);
				await assertRefused(world, `tlk_${"A".repeat(32)}`);
				await assertRefused(world, key.slice(0, -1));
				await assertRefused(world, world.owner);
				assert.equal((await revokeKey(world, id)).status, 200);
				await world.target.setNow(Date.now() + 61 * SECONDS);
				await assertRefused(world, key);
			}),
	},
	{
		name: "a partner key that the store cannot check gets 503 instead of 401",
		cites: ["MCP-BEARER-PARTNER"],
		environment: OPEN,
		run: (world) =>
			withRestart(world, OPEN, MULTI_TENANT, async () => {
				const { key } = await createKey(world);
				await world.target.setStoreAway(true);
				try {
					await world.anyone.refuse(503, "GET", "/gui/session", { headers: bearer(key) });
					await world.anyone.expect(200, GuiSession, "GET", "/gui/session", {
						headers: bearer(STATIC_TOKEN),
					});
				} finally {
					await world.target.setStoreAway(false);
				}
				assert.deepEqual(await readCaller(world, key), ["partner", world.owner]);
			}),
	},
	{
		name: "a store that rejects the service's own token gives 503, also when it checks the caller",
		cites: [],
		environment: OPEN,
		run: (world) =>
			withRestart(world, OPEN, MULTI_TENANT, async () => {
				const { key } = await createKey(world);
				await world.target.setStoreAway("refusing");
				try {
					const { error } = await world.anyone.refuse(503, "GET", "/gui/session", { headers: bearer(key) });
					assert.match(error, /STORE_INTERNAL_TOKEN/);
				} finally {
					await world.target.setStoreAway(false);
				}
			}),
	},
	{
		name: "a self-hosted service accepts no partner key",
		cites: ["MCP-BEARER-PARTNER-OFFICIAL-ONLY"],
		environment: OPEN,
		async run(world) {
			let key = "";
			await withRestart(world, OPEN, MULTI_TENANT, async () => {
				key = (await createKey(world)).key;
				await assertAccepted(world, key);
			});
			await withRestart(world, OPEN, { ...MULTI_TENANT, MULTI_TENANT: "false" }, () =>
				assertRefused(world, key),
			);
		},
	},
	{
		name: "with ALLOW_PLAINTEXT_NAMESPACE a bearer is the namespace itself, in both modes",
		cites: ["MCP-BEARER-PLAINTEXT", "MCP-CONFIG-PLAINTEXT"],
		environment: OPEN,
		async run(world) {
			for (const mode of ["false", "true"]) {
				const settings = { ...MULTI_TENANT, MULTI_TENANT: mode, ALLOW_PLAINTEXT_NAMESPACE: "true" };
				await withRestart(world, OPEN, settings, async () => {
					assert.deepEqual(await readCaller(world, world.owner), ["plaintext", world.owner]);
					for (const none of ["anonymous", "_system", "-x", "a.b", "a/b", "a".repeat(65), "ä"]) {
						const { status } = await world.anyone.call("GET", "/gui/session", {
							headers: { authorization: `Bearer ${Buffer.from(none).toString("latin1")}` },
						});
						assert.equal(status, 401, none);
					}
				});
				await withRestart(world, OPEN, { ...MULTI_TENANT, MULTI_TENANT: mode }, () =>
					assertRefused(world, world.owner),
				);
			}
		},
	},
	{
		name: "a bearer that matches two kinds of credential counts as the first of: token, static token, partner key, namespace",
		cites: [
			"MCP-BEARER-OAUTH-FIRST",
			"MCP-BEARER-STATIC-SECOND",
			"MCP-BEARER-PARTNER-THIRD",
			"MCP-BEARER-PLAINTEXT-LAST",
		],
		environment: OPEN,
		async run(world) {
			const all = { ...MULTI_TENANT, ALLOW_PLAINTEXT_NAMESPACE: "true" };
			const access = `tlo_${"o".repeat(43)}`;
			// An access token, the static token, and the name of a namespace.
			await withRestart(world, OPEN, { ...all, MCP_STATIC_TOKEN: access }, async () => {
				assert.deepEqual(await readCaller(world, access), ["static", HOME]);
			});
			await withRestart(world, OPEN, { ...all, MCP_STATIC_TOKEN: access }, async () => {
				await putToken(world, {}, access);
				assert.deepEqual(await readCaller(world, access), ["oauth", world.owner]);
			});
			await withRestart(world, OPEN, all, async () => {
				await putToken(world, {}, access);
				assert.deepEqual(await readCaller(world, access), ["oauth", world.owner]);
				// The static token is also the name of a namespace.
				assert.deepEqual(await readCaller(world, STATIC_TOKEN), ["static", HOME]);
				const partner = await createKey(world);
				assert.deepEqual(await readCaller(world, partner.key), ["partner", world.owner]);
				assert.deepEqual(await readCaller(world, "some-namespace"), ["plaintext", "some-namespace"]);
				// A token that is expired or for another server is rejected, although it could be a namespace.
				for (const fields of [{ resource: "https://other.example/mcp" }, { expires_at: 1 }]) {
					await assertRefused(world, (await putToken(world, fields)).token);
				}
			});
			// A partner key that is also the static token.
			let key = "";
			await withRestart(world, OPEN, all, async () => {
				key = (await createKey(world)).key;
			});
			await withRestart(world, OPEN, { ...all, MCP_STATIC_TOKEN: key }, async () => {
				assert.deepEqual(await readCaller(world, key), ["static", HOME]);
			});
		},
	},
	{
		name: "without OAUTH_KV the other credentials still work, and access tokens are unknown",
		cites: ["MCP-BEARER-STATIC", "MCP-CONFIG-OAUTH-KV"],
		environment: OPEN,
		async run(world) {
			const { token } = await putToken(world);
			const settings = { ...OPEN, ALLOW_PLAINTEXT_NAMESPACE: "false", OAUTH_KV: "off" };
			await withRestart(world, OPEN, settings, async () => {
				assert.deepEqual(await readCaller(world, STATIC_TOKEN), ["static", HOME]);
				await assertRefused(world, token);
				const headers = bearer(STATIC_TOKEN);
				const { oauth } = await world.anyone.expect(200, GuiSession, "GET", "/gui/session", { headers });
				assert.equal(oauth, false);
				await world.anyone.refuse(503, "GET", "/gui/tokens", { headers });
			});
		},
	},
	{
		name: "long-lived secrets appear in no key-value store, response or log line",
		cites: ["MCP-CONFIG-STATIC-TOKEN", "MCP-CONFIG-SECRETS-NOT-KV", "MCP-CONFIG-SECRETS-NOT-PLAIN"],
		environment: OPEN,
		async run(world) {
			await world.target.lines();
			const token = await login(world);
			const headers = bearer(STATIC_TOKEN);
			const answers = [await mcpCall(world, STATIC_TOKEN, MODERN, "tools/list")] as unknown[];
			for (const path of ["/gui/session", "/gui/tokens", "/gui/connect", "/gui/overview", "/openapi.json"]) {
				answers.push((await world.anyone.call("GET", path, { headers })).body);
			}
			answers.push((await world.anyone.call("POST", "/gui/connect/verify", { headers })).body);
			const kept: unknown[] = [];
			for (const values of [world.target.oauth, world.target.kv, world.target.statistics]) {
				for (const key of await values.keys()) kept.push([key, await values.get(key)]);
			}
			const said = JSON.stringify([answers, kept, await world.target.lines()]);
			for (const secret of [STATIC_TOKEN, OWNER_SECRET, token]) assert.ok(!said.includes(secret));
		},
	},
];

async function listTokenIds(world: World, credential: string): Promise<ReadonlySet<string>> {
	const ids = new Set<string>();
	let cursor: string | null = null;
	do {
		const page: { tokens: { id: string }[]; next_cursor: string | null } = await world.anyone.expect(
			200,
			GuiTokens,
			"GET",
			"/gui/tokens",
			{ headers: bearer(credential), query: { cursor: cursor ?? undefined } },
		);
		for (const { id } of page.tokens) ids.add(id);
		cursor = page.next_cursor;
	} while (cursor !== null);
	return ids;
}
