import assert from "node:assert/strict";
import type { Scenario } from "../../../scenario.ts";
import { createPkce, login, OWNER_SECRET, readToken, requestCode } from "../login.ts";
import { assertRefused, exchangeCode, isAccepted } from "./presenting.ts";

export const tokenEndpoint: readonly Scenario[] = [
	{
		name: "POST /token exchanges a code with its code_verifier for an access token",
		cites: ["MCP-TOKEN-GRANT", "MCP-TOKEN-EXCHANGE"],
		async run(world) {
			const { exchange } = await requestCode(world);
			const answer = await exchangeCode(world, exchange);
			const token = readToken(answer);
			assert.deepEqual(answer.body, { access_token: token, token_type: "Bearer", expires_in: 2_592_000 });
			assert.equal(answer.headers.get("cache-control"), "no-store");
			assert.ok(await isAccepted(world, token));
		},
	},
	{
		name: "POST /token does not require redirect_uri, which OAuth 2.1 omits",
		cites: ["MCP-TOKEN-GRANT"],
		async run(world) {
			const { redirect_uri: _, ...exchange } = (await requestCode(world)).exchange;
			readToken(await exchangeCode(world, exchange));
		},
	},
	{
		name: "POST /register and POST /token accept and return JSON, also for errors",
		cites: ["MCP-JSON-BODIES"],
		async run(world) {
			const redirect_uri = "http://localhost:33418/callback";
			const registered = await world.anyone.call("POST", "/register", {
				body: { redirect_uris: [redirect_uri] },
			});
			assert.equal(registered.status, 201);
			assert.match(registered.headers.get("content-type") ?? "", /^application\/json/);
			const { client_id } = registered.body as { client_id: string };
			const { exchange } = await requestCode(world, { query: { client_id, redirect_uri } });
			const answer = await world.anyone.call("POST", "/token", { body: exchange });
			assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
			assert.ok(await isAccepted(world, readToken(answer)));
			const again = await world.anyone.call("POST", "/token", { body: exchange });
			assertRefused(again, 400, "invalid_grant");
			const refused = await world.anyone.call("POST", "/register", { body: { redirect_uris: [] } });
			assertRefused(refused, 400, "invalid_redirect_uri");
		},
	},
	{
		name: "POST /token without a code_verifier is rejected",
		cites: ["MCP-TOKEN-PKCE"],
		async run(world) {
			const { code_verifier: _, ...without } = (await requestCode(world)).exchange;
			assertRefused(await exchangeCode(world, without), 400, "invalid_request");
			const { exchange } = await requestCode(world);
			assertRefused(await exchangeCode(world, { ...exchange, code_verifier: "" }), 400, "invalid_request");
		},
	},
	{
		name: "POST /token with a wrong code_verifier gives invalid_grant",
		cites: ["MCP-TOKEN-WRONG-VERIFIER"],
		async run(world) {
			const other = createPkce();
			for (const wrong of [
				() => other.verifier,
				(right: string) => right.slice(0, -1) + (right.endsWith("A") ? "B" : "A"),
				(right: string) => `${right}A`,
				(right: string) => createPkce(right).challenge,
			]) {
				const { exchange } = await requestCode(world);
				const code_verifier = wrong(exchange.code_verifier ?? "");
				assertRefused(await exchangeCode(world, { ...exchange, code_verifier }), 400, "invalid_grant");
			}
		},
	},
	{
		name: "a code_verifier that is not 43 to 128 unreserved characters is rejected, even if it matches the challenge",
		cites: ["MCP-TOKEN-VERIFIER-LENGTH"],
		async run(world) {
			for (const [verifier, isTaken] of [
				["a".repeat(42), false],
				["a".repeat(43), true],
				["-._~".repeat(32), true],
				["a".repeat(129), false],
				[`${"a".repeat(43)}+`, false],
				[`${"a".repeat(43)} `, false],
				[`${"a".repeat(43)}ü`, false],
			] as const) {
				const { exchange } = await requestCode(world, {
					query: { code_challenge: createPkce(verifier).challenge },
				});
				const answer = await exchangeCode(world, { ...exchange, code_verifier: verifier });
				if (isTaken) readToken(answer);
				else assertRefused(answer, 400, "invalid_grant", verifier);
			}
		},
	},
	{
		name: "a code is valid only for the client and the redirect URI that it was issued for",
		cites: [],
		async run(world) {
			for (const [changed, error] of [
				[{ client_id: "another-client" }, "invalid_grant"],
				[{ client_id: "" }, "invalid_request"],
				[{ redirect_uri: "http://127.0.0.1:2/callback" }, "invalid_grant"],
				[{ resource: "https://evil.example/mcp" }, "invalid_target"],
			] as const) {
				const { exchange } = await requestCode(world);
				assertRefused(await exchangeCode(world, { ...exchange, ...changed }), 400, error);
			}
		},
	},
	{
		name: "there are no refresh tokens: none is issued and no grant accepts one",
		cites: ["MCP-TOKEN-NO-REFRESH"],
		async run(world) {
			const { exchange } = await requestCode(world, { query: { scope: "offline_access" } });
			const answer = await exchangeCode(world, exchange);
			const token = readToken(answer);
			assert.ok(!("refresh_token" in (answer.body as object)));
			const refresh = { grant_type: "refresh_token", refresh_token: token, client_id: "a-client" };
			assertRefused(await exchangeCode(world, refresh), 400, "unsupported_grant_type");
			assert.ok(await isAccepted(world, token));
		},
	},
	{
		name: "no other grant gives a token, not even the owner secret as a password",
		cites: ["MCP-OAUTH-FLOW"],
		async run(world) {
			for (const fields of [
				{ grant_type: "password", username: "owner", password: OWNER_SECRET },
				{ grant_type: "client_credentials", client_id: "a-client", client_secret: OWNER_SECRET },
				{ grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: "x" },
				{ grant_type: "constructor" },
			] as readonly Readonly<Record<string, string>>[]) {
				assertRefused(await exchangeCode(world, fields), 400, "unsupported_grant_type");
			}
			assertRefused(await exchangeCode(world, {}), 400, "invalid_request");
		},
	},
	{
		name: "a malformed request to /token gets 400 and does not use up the code",
		cites: [],
		async run(world) {
			const { exchange } = await requestCode(world);
			const form = new URLSearchParams(exchange).toString();
			for (const [raw, type] of [
				[form, "text/plain"],
				[form, "multipart/form-data; boundary=x"],
				[form, "application/json"],
				["[]", "application/json"],
				["null", "application/json"],
				[JSON.stringify({ ...exchange, grant_type: ["authorization_code"] }), "application/json"],
				[JSON.stringify({ ...exchange, code: { __proto__: null } }), "application/json"],
				[`${form}&code=${exchange.code}`, "application/x-www-form-urlencoded"],
				[`${form}&grant_type=authorization_code`, "application/x-www-form-urlencoded"],
			] as const) {
				const headers = { "content-type": type };
				const answer = await world.anyone.call("POST", "/token", { raw, headers });
				assertRefused(answer, 400, "invalid_request", `${type}: ${raw}`);
			}
			const large = { ...exchange, more: "x".repeat(70_000) };
			assertRefused(await exchangeCode(world, large), 413, "invalid_request");
			readToken(await exchangeCode(world, exchange));
		},
	},
	{
		name: "POST /revoke revokes an access token immediately, and responds the same for an unknown one",
		cites: [],
		async run(world) {
			const [token, other] = [await login(world), await login(world)];
			assert.ok(await isAccepted(world, token));
			for (const body of [
				{ token },
				{ token },
				{ token: `tlo_${"x".repeat(43)}` },
				{ token: "nothing", token_type_hint: "refresh_token" },
			]) {
				const { status } = await world.anyone.call("POST", "/revoke", { body });
				assert.equal(status, 200);
				assert.equal(await isAccepted(world, token), false);
			}
			assert.ok(await isAccepted(world, other));
			assertRefused(await world.anyone.call("POST", "/revoke", { body: {} }), 400, "invalid_request");
		},
	},
];
