import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Environment } from "../conformance/platforms.ts";
import { ERAS } from "../mcp/wire.ts";
import { type Answer, forEachItem, JSON_TYPE } from "./client.ts";
import { bearer, buildRequest } from "./mcp-client.ts";
import { createLogin, OWNER_SECRET, sha256 } from "./mcp-login.ts";
import type { Shared } from "./mcp-shared.ts";
import { createPartnerKey, INTERNAL, putToken } from "./mcp-tenants.ts";
import { buildPath, type DescribedRoute, readRoutes } from "./routes.ts";
import { tally } from "./tally.ts";

const STATIC = "static-token-canary-90b1f3";
const ENVIRONMENT: Environment = {
	MULTI_TENANT: "true",
	MCP_OWNER_SECRET: OWNER_SECRET,
	MCP_STATIC_TOKEN: STATIC,
	MCP_OWNER_NAMESPACE: "home",
	STORE_INTERNAL_TOKEN: INTERNAL,
};

interface Called {
	readonly about: string;
	send(headers: readonly string[], query?: string): Promise<Answer>;
}

/** Valid and invalid bearers at every endpoint that requires one. */
export function bearers(shared: Shared): void {
	describe("bearers", () => {
		const { client, isNode } = shared;
		let endpoints: readonly Called[];
		let good: Readonly<Record<string, string>>;
		let never: readonly string[];

		before(async () => {
			await shared.target.restart(ENVIRONMENT);
			const routes = await readRoutes(client);
			endpoints = [...listMcpCalls(), ...routes.filter(({ path }) => path.startsWith("/gui/")).map(toCall)];
			assert.ok(endpoints.length >= 35, String(endpoints.length));
			const login = createLogin(client, shared.target);
			good = {
				oauth: await login.token(),
				static: STATIC,
				partner: await createPartnerKey(shared.target, "alice"),
			};
			const { code, verifier, challenge } = await login.granted();
			const here = `${shared.target.publicUrl}/mcp`;
			never = [
				await putToken(shared.target, { namespace: "home", resource: "https://another.example/mcp" }),
				await putToken(shared.target, { namespace: "home", resource: `${here}/other` }),
				await putToken(shared.target, { namespace: "home", resource: shared.target.publicUrl }),
				await putToken(shared.target, { namespace: "home", resource: here, expires_at: Date.now() - 1 }),
				await putToken(shared.target, { namespace: "home", resource: here, expires_at: null }),
				...[code, verifier, challenge, OWNER_SECRET, INTERNAL, sha256(code), "home", "alice", "a-client"],
			];
		});

		test("each credential is accepted at every endpoint, in any case of the scheme", async () => {
			for (const [by, token] of Object.entries(good)) {
				for (const value of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`]) {
					const session = await client.call("GET", "/gui/session", { headers: ["authorization", value] });
					assert.equal((session.body as { by: string }).by, by, session.text);
				}
				for (const { about, send } of endpoints) {
					assert.notEqual((await send(bearer(token))).status, 401, about);
				}
			}
		});

		test("anything but an exact credential is refused everywhere with the same challenge", async (t) => {
			const wrong = [...listShapes(), ...Object.values(good).flatMap(listSpoiled), ...never.map(bearer)];
			const all = wrong.flatMap((headers) => endpoints.map((endpoint) => ({ headers, endpoint })));
			await tally(t, `${wrong.length} bearers at ${endpoints.length} endpoints`, (count) =>
				forEachItem(
					// All combinations on one platform; on the other each header and each endpoint at least once.
					isNode ? all : all.filter((_, index) => index % 7 === 0),
					async ({ headers, endpoint }) => {
						const answer = await endpoint.send(headers);
						count(
							isChallenged(answer),
							`${endpoint.about} ${headers.join(": ").slice(0, 80)}: ${answer.status}`,
						);
					},
					// workerd closes the connection if a body is not read, which also breaks calls that have just arrived.
					isNode ? 16 : 1,
				),
			);
		});

		test("a credential outside of its header is ignored", async (t) => {
			await tally(t, "other places", async (count) => {
				for (const token of Object.values(good)) {
					for (const { about, send } of endpoints) {
						for (const name of ["access_token", "token", "bearer", "authorization"])
							count(isChallenged(await send([], `${name}=${token}`)), `${about}?${name}`);
						for (const headers of [
							["cookie", `access_token=${token}; authorization=Bearer ${token}`],
							["x-service-api-key", token],
							["x-api-key", token],
							["proxy-authorization", `Bearer ${token}`],
							["x-authorization", `Bearer ${token}`],
							["mcp-session-id", token],
						])
							count(isChallenged(await send(headers)), `${about} ${headers[0]}`);
					}
				}
			});
		});

		test("with other settings the same credentials are refused", async (t) => {
			await tally(t, "other settings", async (count) => {
				for (const [settings, gone] of [
					[{ MULTI_TENANT: "false" }, [good.partner, "alice", "home"]],
					[{ OAUTH_KV: "off" }, [good.oauth]],
					[{ MCP_STATIC_TOKEN: `${STATIC}-renewed` }, [STATIC]],
					[{ MCP_URL: "https://public.example" }, never.slice(0, 5)],
				] as const) {
					// One platform requires this setting for a public address.
					await shared.target.restart({ ...ENVIRONMENT, ...settings, SERVICE_ACCESS_TOKEN: INTERNAL });
					for (const token of gone) {
						for (const { about, send } of endpoints)
							count(isChallenged(await send(bearer(token ?? ""))), `${about} ${JSON.stringify(settings)}`);
					}
				}
			});
		});

		function isChallenged({ status, headers, text }: Answer): boolean {
			const challenge = `Bearer resource_metadata="${shared.target.publicUrl}/.well-known/oauth-protected-resource"`;
			const body = JSON.stringify({ error: "a valid bearer credential is needed" });
			return status === 401 && headers["www-authenticate"] === challenge && text === body;
		}

		const listMcpCalls = (): Called[] =>
			ERAS.map((era) => ({
				about: `/mcp ${era}`,
				send(headers, query = "") {
					const { headers: own, body } = buildRequest("tools/list", {}, { era });
					return client.call("POST", `/mcp?${query}`, { headers: [...own, ...headers], body });
				},
			}));

		const toCall = (route: DescribedRoute): Called => ({
			about: `${route.method} ${route.path}`,
			send: (headers, query = "") =>
				client.call(route.method, `${buildPath(route, {})}?${query}`, {
					headers: [...headers, ...JSON_TYPE],
					...(route.takesBody && { body: "{}" }),
				}),
		});
	});
}

/** Headers without a credential. */
const listShapes = (): (readonly string[])[] => [
	[],
	...["", "Bearer", "Bearer ", "null", "undefined", "Basic Og=="].map((value) => ["authorization", value]),
	...["null", "undefined", "[]", "{}", "[object", "true", "0", '""', "''", "*", "_system", "anonymous"].map(
		bearer,
	),
	...["default", "__proto__", "constructor", "tlo_", `tlo_${"A".repeat(43)}`, "tlk_", "x".repeat(4_000)].map(
		bearer,
	),
];

/** Almost valid tokens. */
const listSpoiled = (token: string): (readonly string[])[] => [
	...[token.slice(0, -1), token.slice(1), `${token}A`, `A${token}`, token + token].map(bearer),
	...[token.toUpperCase(), swapCase(token), `"${token}"`, `<${token}>`, `${token}=`, `${token}\xa0`].map(
		bearer,
	),
	...[`${token},${token}`, `${token} ${token}`, `Bearer ${token}`, `${token};`, `%20${token}`].map(bearer),
	...[sha256(token), `token:${sha256(token)}`, Buffer.from(token).toString("base64")].map(bearer),
	...[
		token,
		`Token ${token}`,
		`Bearer:${token}`,
		`Bearer=${token}`,
		`Bearer\t${token}`,
		`Bearer${token}`,
	].map((value) => ["authorization", value]),
	["authorization", `Basic ${Buffer.from(`${token}:`).toString("base64")}`],
	["authorization", `Basic ${Buffer.from(`:${token}`).toString("base64")}`],
	[...bearer(token), ...bearer(token)],
	[...bearer(token), ...bearer("alice")],
	[...bearer(""), ...bearer(token)],
];

const swapCase = (text: string): string =>
	text.replace(/[a-z]/i, (letter) =>
		letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
	);
