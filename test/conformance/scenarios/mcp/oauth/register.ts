import assert from "node:assert/strict";
import * as z from "zod";
import type { Scenario, World } from "../../../scenario.ts";
import { login, MCP_ENVIRONMENT } from "../login.ts";
import { assertPage, assertRefused, buildQuery, openPage, requestBothWays } from "./presenting.ts";
import { listMarks } from "./stored.ts";

const CLAUDE = "https://claude.ai/api/mcp/auth_callback";
const LOCAL = "http://localhost:33418/callback";

const Registered = z.strictObject({
	client_id: z.string().min(1),
	client_id_issued_at: z.int(),
	client_name: z.string().optional(),
	redirect_uris: z.array(z.string()),
	token_endpoint_auth_method: z.literal("none"),
	grant_types: z.tuple([z.literal("authorization_code")]),
	response_types: z.tuple([z.literal("code")]),
});

export const register: readonly Scenario[] = [
	{
		name: "POST /register returns a client_id without a secret, whatever the client asks for",
		cites: ["MCP-REGISTER-PUBLIC", "MCP-REGISTER-CLIENT-ID", "MCP-REGISTER-NO-SECRET"],
		async run(world) {
			const registered = await registerClient(world, {
				client_name: "An assistant",
				redirect_uris: [CLAUDE, LOCAL],
				token_endpoint_auth_method: "client_secret_post",
				grant_types: ["authorization_code", "refresh_token", "client_credentials"],
				response_types: ["code", "token"],
				application_type: "native",
				scope: "openid email profile",
			});
			assert.deepEqual(registered.redirect_uris, [CLAUDE, LOCAL]);
			assert.equal(registered.client_name, "An assistant");
			assert.ok(Math.abs(registered.client_id_issued_at - Date.now() / 1000) < 60);
			const again = await registerClient(world, { redirect_uris: [CLAUDE] });
			assert.notEqual(again.client_id, registered.client_id);
		},
	},
	{
		name: "a registration is not stored, but stays valid after a restart",
		cites: ["MCP-REGISTER-NOT-STORED"],
		async run(world) {
			const { target } = world;
			const all = async () => [
				await target.oauth.keys(),
				await target.kv.keys(),
				await target.statistics.keys(),
				await listMarks(world, "oauth_code"),
			];
			const before = await all();
			const { client_id } = await registerClient(world, { client_name: "Kept", redirect_uris: [LOCAL] });
			assert.deepEqual(await all(), before);
			await target.restart(MCP_ENVIRONMENT);
			const asked = buildQuery({ client_id, redirect_uri: LOCAL });
			assertPage(await openPage(world, asked), 200, /Kept/);
			await login(world, { query: { client_id, redirect_uri: LOCAL } });
		},
	},
	{
		name: "a registered client is redirected only to its registered URIs; loopback ports may differ",
		cites: [],
		async run(world) {
			const { client_id } = await registerClient(world, { redirect_uris: [CLAUDE, LOCAL] });
			for (const redirect_uri of [CLAUDE, LOCAL, "http://localhost:50000/callback"]) {
				assert.equal((await openPage(world, buildQuery({ client_id, redirect_uri }))).status, 200);
			}
			for (const redirect_uri of [`${CLAUDE}/more`, "http://localhost:33418/other", "https://claude.com/x"]) {
				for (const answer of await requestBothWays(world, buildQuery({ client_id, redirect_uri }))) {
					assertPage(answer, 400, /is not registered for this application/);
				}
			}
		},
	},
	{
		name: "only the allowed redirect URIs are registered, and a registration without any is rejected",
		cites: [],
		async run(world) {
			const odd = "cursor://anysphere.cursor-mcp/oauth/callback";
			const { redirect_uris } = await registerClient(world, { redirect_uris: [odd, LOCAL] });
			assert.deepEqual(redirect_uris, [LOCAL]);
			for (const uris of [
				[odd],
				["javascript://claude.ai/%0aalert(1)"],
				["https://evil.example/"],
				[],
				[1],
				CLAUDE,
			]) {
				const answer = await world.anyone.call("POST", "/register", { body: { redirect_uris: uris } });
				assertRefused(answer, 400, "invalid_redirect_uri", JSON.stringify(uris));
			}
			for (const raw of ["", "{", "[]", "null", '"text"']) {
				const answer = await world.anyone.call("POST", "/register", { raw });
				assertRefused(answer, 400, "invalid_client_metadata", raw);
			}
		},
	},
	{
		name: "a client that never registered is accepted by the host list alone",
		cites: ["MCP-REGISTER-NOT-STORED"],
		async run(world) {
			for (const client_id of ["an-id-of-another-server", "0197f0c5-0000-7000-8000-000000000000"]) {
				await login(world, { query: { client_id, redirect_uri: LOCAL } });
			}
		},
	},
];

const registerClient = (world: World, body: object): Promise<z.output<typeof Registered>> =>
	world.anyone.expect(201, Registered, "POST", "/register", { body });
