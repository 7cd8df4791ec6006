import assert from "node:assert/strict";
import { request } from "node:http";
import { GuiSession } from "@tripline/contract/gui";
import type { Scenario, World } from "../../scenario.ts";
import { login, MCP_ENVIRONMENT } from "./login.ts";
import { bearer, publicAt, putToken, withRestart } from "./settings.ts";

const METADATA = "/.well-known/oauth-protected-resource";
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** One of each kind of console endpoint: list, read, write, delete and run. */
const CONSOLE = [
	["GET", "/gui/session"],
	["GET", "/gui/overview"],
	["GET", "/gui/status"],
	["GET", "/gui/workflows"],
	["PUT", "/gui/workflows/w"],
	["DELETE", "/gui/workflows/w"],
	["POST", "/gui/workflows/w/run"],
	["POST", "/gui/validate"],
	["GET", "/gui/executions"],
	["GET", "/gui/entries"],
	["POST", "/gui/entries"],
	["POST", "/gui/search"],
	["GET", "/gui/graph/traverse?name=x"],
	["GET", "/gui/components"],
	["PUT", "/gui/components/x"],
	["GET", "/gui/recipes"],
	["PUT", "/gui/recipes/x"],
	["POST", "/gui/recipes/from-openapi"],
	["GET", "/gui/mcp-servers"],
	["PUT", "/gui/mcp-servers/x"],
	["POST", "/gui/mcp-servers/x/sign-in"],
	["POST", "/gui/components/x/test"],
	["GET", "/gui/registry/components"],
	["GET", "/gui/credentials"],
	["PUT", "/gui/credentials/c"],
	["POST", "/gui/credentials/c/sign-in"],
	["POST", "/gui/credentials/c/test"],
	["GET", "/gui/auth-recipes"],
	["GET", "/gui/tokens"],
	["DELETE", `/gui/tokens/${"0".repeat(64)}`],
	["GET", "/gui/connect"],
	["POST", "/gui/connect/verify"],
] as const;

/** Asserts 401 with exactly the header of the interface. */
async function assertRefused(
	world: World,
	method: string,
	path: string,
	headers: Readonly<Record<string, string>> = {},
	origin = world.target.publicUrl,
) {
	const hasBody = method !== "GET" && method !== "HEAD";
	const answer = await world.anyone.call(method, path, { headers, ...(hasBody && { body: PING }) });
	const said = `${method} ${path} ${JSON.stringify(headers).slice(0, 200)}`;
	assert.equal(answer.status, 401, said);
	assert.equal(
		answer.headers.get("www-authenticate"),
		`Bearer resource_metadata="${origin}${METADATA}"`,
		said,
	);
	return answer;
}

export const refusals: readonly Scenario[] = [
	{
		name: "without a bearer every method at /mcp gets 401 with the header that points to the login",
		cites: ["MCP-ENDPOINT-BEARER", "MCP-BEARER-401", "MCP-BEARER-401-HEADER"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
				const { body } = await assertRefused(world, method, "/mcp");
				if (method !== "HEAD") assert.equal(typeof (body as { error: unknown }).error, "string");
				await assertRefused(world, method, "/mcp", bearer("no-such-token"));
			}
			const metadata = await world.anyone.call("GET", METADATA);
			assert.equal(metadata.status, 200, "the URL in the header has no document");
		},
	},
	{
		name: "without a valid bearer every console endpoint gets the same 401 as /mcp",
		cites: ["MCP-GUI-AUTH", "MCP-BEARER-401", "MCP-BEARER-401-HEADER"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const atMcp = await assertRefused(world, "POST", "/mcp");
			for (const [method, path] of CONSOLE) {
				assert.deepEqual((await assertRefused(world, method, path)).body, atMcp.body);
				await assertRefused(world, method, path, bearer("default"));
			}
		},
	},
	{
		name: "the bearer is checked before the message is parsed",
		cites: ["MCP-ENDPOINT-BEARER", "MCP-BEARER-401"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			// Not larger, because a server that responds before reading the body may disconnect a caller that still sends.
			const bodies = ["", "{", "[]", "null", "\u0000", "x".repeat(20_000)];
			for (const raw of bodies) {
				for (const path of ["/mcp", "/gui/search"]) {
					const answer = await world.anyone.call("POST", path, { raw });
					assert.equal(answer.status, 401, `${path} ${raw.slice(0, 10)}`);
				}
			}
			const headers = { "content-type": "text/plain", "mcp-protocol-version": "1999-01-01" };
			assert.equal((await world.anyone.call("POST", "/mcp", { raw: "x", headers })).status, 401);
		},
	},
	{
		name: "a self-hosted service rejects a bearer that is only the name of a namespace",
		cites: ["MCP-BEARER-SELF-HOSTED-NAMESPACE", "MCP-BEARER-PLAINTEXT-OFF", "MCP-CONFIG-PLAINTEXT"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const note = { entry_type: "note", owner_id: world.owner, page_name: "p", content: "hidden" };
			assert.equal((await world.call("PUT", "/entries", { body: note })).status, 201);
			const namespaces = [world.owner, "default", "_system", "anonymous"];
			for (const name of namespaces) {
				const answer = await assertRefused(world, "POST", "/mcp", bearer(name));
				assert.doesNotMatch(JSON.stringify(answer.body), /hidden/);
				await assertRefused(world, "GET", "/gui/entries", bearer(name));
			}
			await withRestart(
				world,
				MCP_ENVIRONMENT,
				{ ...MCP_ENVIRONMENT, ALLOW_PLAINTEXT_NAMESPACE: "false" },
				async () => {
					await assertRefused(world, "POST", "/mcp", bearer(world.owner));
				},
			);
		},
	},
	{
		name: "malformed and almost correct credentials are rejected",
		cites: ["MCP-BEARER-401", "MCP-BEARER-401-HEADER", "MCP-BEARER-STATIC-UNSET"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const { token, key } = await putToken(world);
			const session = await world.anyone.call("GET", "/gui/session", { headers: bearer(token) });
			assert.equal(session.status, 200);
			const flipped = token.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
			const none = [
				{},
				{ authorization: "" },
				{ authorization: "Bearer" },
				{ authorization: "Bearer " },
				{ authorization: "Bearer    " },
				{ authorization: token },
				{ authorization: `Bearer${token}` },
				{ authorization: `Bearer\t${token}` },
				{ authorization: `Bearer ${token} ${token}` },
				{ authorization: `Bearer ${token}, Bearer ${token}` },
				{ authorization: `Bearer Bearer ${token}` },
				{ authorization: `Bearer "${token}"` },
				{ authorization: `Bearer token=${token}` },
				{ authorization: `Basic ${btoa(`owner:${token}`)}` },
				{ authorization: `Token ${token}` },
				...["null", "undefined", "NaN", "false", "0", "[object Object]", "__proto__", "constructor"].map(
					bearer,
				),
				...[flipped, `${token}A`, token.slice(0, -1), token.toLowerCase(), token.toUpperCase()].map(bearer),
				// The storage key of the token, which must not work as a bearer.
				...[key, key.slice("token:".length), "tlo_", `tlo_${"A".repeat(43)}`].map(bearer),
				...[`tlk_${"A".repeat(32)}`, "A".repeat(8_000), "%00"].map(bearer),
				{ "x-service-api-key": "default" },
				{ "x-api-key": token },
				{ cookie: `token=${token}; access_token=${token}` },
				{ "x-forwarded-authorization": `Bearer ${token}`, "proxy-authorization": `Bearer ${token}` },
			] as Readonly<Record<string, string>>[];
			for (const headers of none) {
				const origin = world.target.publicUrl;
				await assertRefused(world, "POST", "/mcp", headers, origin);
				await assertRefused(world, "GET", "/gui/session", headers, origin);
			}
			await assertRefused(world, "GET", `/gui/session?access_token=${token}&token=${token}`);
			await assertRefused(world, "POST", `/mcp?access_token=${token}`);
		},
	},
	{
		name: "the case of the scheme and spaces around a bearer are ignored",
		cites: ["MCP-BEARER-OAUTH"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const { token } = await putToken(world);
			for (const scheme of ["Bearer ", "bearer ", "BEARER ", "bEaReR   "]) {
				const headers = { authorization: `  ${scheme}${token}  ` };
				const session = await world.anyone.expect(200, GuiSession, "GET", "/gui/session", { headers });
				assert.equal(session.namespace, world.owner);
			}
		},
	},
	{
		name: "two Authorization headers are rejected, even if one is valid",
		cites: ["MCP-BEARER-401"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const { token } = await putToken(world);
			for (const pair of [
				[token, "wrong"],
				["wrong", token],
				[token, token],
			]) {
				const lines = pair.flatMap((each) => ["Authorization", `Bearer ${each}`]);
				assert.equal(await requestStatus(`${world.target.publicUrl}/gui/session`, lines), 401);
			}
			const line = ["Authorization", `Bearer ${token}`];
			assert.equal(await requestStatus(`${world.target.publicUrl}/gui/session`, line), 200);
		},
	},
	{
		name: "behind a proxy the 401 header has the public address, which a caller cannot change",
		cites: ["MCP-BEARER-401-HEADER"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const forwarded = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
			await assertRefused(world, "POST", "/mcp", forwarded);
			const MCP_URL = "https://tripline.example";
			await withRestart(world, MCP_ENVIRONMENT, publicAt(MCP_URL), async () => {
				await assertRefused(world, "POST", "/mcp", forwarded, MCP_URL);
				await assertRefused(world, "GET", "/gui/session", forwarded, MCP_URL);
				// A local client gets the host name that it used.
				await assertRefused(world, "POST", "/mcp");
			});
		},
	},
	{
		name: "after a client has logged in, access still needs its token",
		cites: ["MCP-BEARER-401", "MCP-BEARER-OAUTH"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const token = await login(world);
			const headers = bearer(token);
			const session = await world.anyone.expect(200, GuiSession, "GET", "/gui/session", { headers });
			assert.deepEqual([session.by, session.namespace], ["oauth", "default"]);
			await assertRefused(world, "GET", "/gui/session");
			await assertRefused(world, "POST", "/mcp", bearer(session.namespace));
		},
	},
];

/** Sends separate header lines, which fetch would join. */
const requestStatus = (url: string, headers: string[]): Promise<number | undefined> =>
	new Promise((resolve, reject) => {
		const host = ["Host", new URL(url).host];
		request(url, { headers: [...host, ...headers] as never }, (response) => {
			response.resume();
			resolve(response.statusCode);
		})
			.on("error", reject)
			.end();
	});
