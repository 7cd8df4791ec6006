import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildAuthorizeQuery, CALLBACK, ORIGIN, openServer, readRedirect, SECRET } from "./open-server.ts";

describe("GET /authorize", () => {
	it("shows the consent page with the details of the request", async (context) => {
		const { call } = await openServer(context);
		const response = await call(`/authorize?${buildAuthorizeQuery()}`);
		assert.equal(response.status, 200);
		assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
		assert.equal(response.headers.get("cache-control"), "no-store");
		assert.equal(response.headers.get("referrer-policy"), "same-origin");
		assert.match(response.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
		const page = await response.text();
		for (const shown of ["claude.ai", "acme", "30 days"]) assert.ok(page.includes(shown), shown);
		for (const [name, value] of buildAuthorizeQuery())
			assert.ok(page.includes(`name="${name}" value="${value}"`), name);
	});

	it("escapes the state", async (context) => {
		const { call } = await openServer(context);
		const page = await (
			await call(`/authorize?${buildAuthorizeQuery({ state: `"><script>alert('1')</script>` })}`)
		).text();
		assert.doesNotMatch(page, /<script/);
		assert.match(page, /&quot;&gt;&lt;script&gt;/);
	});

	it("ignores scopes and unknown parameters", async (context) => {
		const { call } = await openServer(context);
		const response = await call(
			`/authorize?${buildAuthorizeQuery({ scope: "openid email profile", prompt: "consent" })}`,
		);
		assert.equal(response.status, 200);
	});

	for (const [what, changes] of [
		["no client_id", { client_id: undefined }],
		["an empty client_id", { client_id: "" }],
		["a client_id with a line break", { client_id: "a\nb" }],
		["a very long client_id", { client_id: "a".repeat(4001) }],
		["no redirect_uri", { redirect_uri: undefined }],
		["a foreign redirect_uri", { redirect_uri: "https://evil.com/" }],
		[
			"a foreign redirect_uri beside other faults",
			{ redirect_uri: "https://evil.com/", response_type: "token" },
		],
	] as const) {
		it(`shows an error page for ${what}`, async (context) => {
			const { call } = await openServer(context);
			const response = await call(`/authorize?${buildAuthorizeQuery(changes)}`);
			assert.equal(response.status, 400);
			assert.equal(response.headers.get("location"), null);
			assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
			assert.match(await response.text(), /client_id|redirect_uri/);
		});
	}

	for (const name of ["client_id", "redirect_uri"]) {
		it(`does not redirect if ${name} is repeated`, async (context) => {
			const { call } = await openServer(context);
			const response = await call(
				`/authorize?${buildAuthorizeQuery()}&${name}=${encodeURIComponent(CALLBACK)}`,
			);
			assert.equal(response.status, 400);
			assert.equal(response.headers.get("location"), null);
		});
	}

	for (const [what, changes, error] of [
		["no response_type", { response_type: undefined }, "invalid_request"],
		["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
		["a hybrid flow", { response_type: "code token" }, "unsupported_response_type"],
		["another response mode", { response_mode: "fragment" }, "invalid_request"],
		["no code_challenge", { code_challenge: undefined }, "invalid_request"],
		["an empty code_challenge", { code_challenge: "" }, "invalid_request"],
		["a code_challenge that S256 cannot give", { code_challenge: "short" }, "invalid_request"],
		["a plain code_challenge", { code_challenge_method: "plain" }, "invalid_request"],
		["no code_challenge_method", { code_challenge_method: undefined }, "invalid_request"],
		["another case of S256", { code_challenge_method: "s256" }, "invalid_request"],
		["a foreign resource", { resource: "https://evil.com/mcp" }, "invalid_target"],
		["another path of this server", { resource: `${ORIGIN}/mcp/other` }, "invalid_target"],
		["a resource with a fragment", { resource: `${ORIGIN}/mcp#x` }, "invalid_target"],
		["a resource that is no address", { resource: "mcp" }, "invalid_target"],
	] as const) {
		it(`sends ${error} to the redirect URI for ${what}`, async (context) => {
			const { call, post } = await openServer(context);
			for (const response of [
				await call(`/authorize?${buildAuthorizeQuery(changes)}`),
				await post("/authorize", buildAuthorizeQuery({ ...changes, owner_secret: SECRET })),
			]) {
				assert.equal(response.status, 302);
				assert.ok(response.headers.get("location")?.startsWith(`${CALLBACK}?`));
				const sent = readRedirect(response);
				assert.equal(sent.get("error"), error);
				assert.notEqual(sent.get("error_description"), null);
				assert.equal(sent.get("state"), "s-1");
				assert.equal(sent.get("iss"), ORIGIN);
				assert.equal(sent.get("code"), null);
			}
		});
	}

	it("rejects other repeated parameters", async (context) => {
		const { call } = await openServer(context);
		for (const name of ["response_type", "code_challenge", "code_challenge_method", "state"]) {
			const sent = readRedirect(await call(`/authorize?${buildAuthorizeQuery()}&${name}=S256`));
			assert.equal(sent.get("error"), "invalid_request", name);
			assert.equal(sent.get("state"), name === "state" ? null : "s-1");
		}
	});

	it("accepts every form of the resource", async (context) => {
		const { call } = await openServer(context);
		for (const resource of [`${ORIGIN}/mcp`, `${ORIGIN}/mcp/`, ORIGIN, `${ORIGIN}/`])
			assert.equal((await call(`/authorize?${buildAuthorizeQuery({ resource })}`)).status, 200, resource);
		const local = await call(`/authorize?${buildAuthorizeQuery({ resource: "http://localhost:8484/mcp" })}`, {
			origin: "http://127.0.0.1:8484",
		});
		assert.equal(local.status, 200);
	});

	it("answers 503 and names the missing setting", async (context) => {
		const bare = await openServer(context, { kv: () => null });
		const unset = await openServer(context, { environment: { MCP_OWNER_SECRET: "" } });
		for (const [{ call, post }, setting] of [
			[bare, "OAUTH_KV"],
			[unset, "MCP_OWNER_SECRET"],
		] as const) {
			for (const response of [
				await call(`/authorize?${buildAuthorizeQuery()}`),
				await post("/authorize", buildAuthorizeQuery({ owner_secret: "" })),
				await post("/authorize", buildAuthorizeQuery({ owner_secret: "undefined" })),
			]) {
				assert.equal(response.status, 503);
				assert.ok((await response.text()).includes(setting));
			}
		}
	});
});

describe("POST /authorize", () => {
	it("redirects with code, state and iss if the owner secret is right", async (context) => {
		const { post } = await openServer(context);
		const response = await post(
			"/authorize",
			buildAuthorizeQuery({ owner_secret: SECRET, state: "a&b=c é" }),
		);
		assert.equal(response.status, 302);
		assert.equal(response.headers.get("cache-control"), "no-store");
		assert.ok(response.headers.get("location")?.startsWith(`${CALLBACK}?code=`));
		const sent = readRedirect(response);
		assert.match(sent.get("code") ?? "", /^[A-Za-z0-9_-]{43}$/);
		assert.equal(sent.get("state"), "a&b=c é");
		assert.equal(sent.get("iss"), ORIGIN);
	});

	it("omits state if the request had none", async (context) => {
		const { post } = await openServer(context);
		const response = await post(
			"/authorize",
			buildAuthorizeQuery({ owner_secret: SECRET, state: undefined }),
		);
		assert.deepEqual([...readRedirect(response).keys()], ["code", "iss"]);
	});

	it("keeps the query of the redirect URI", async (context) => {
		const { post } = await openServer(context);
		for (const [redirect_uri, start] of [
			["https://claude.ai/cb?a=b%20c", "https://claude.ai/cb?a=b%20c&code="],
			["https://claude.ai/cb?", "https://claude.ai/cb?code="],
			["https://claude.ai/cb?a&", "https://claude.ai/cb?a&code="],
			["http://localhost:1234", "http://localhost:1234?code="],
		] as const) {
			const response = await post("/authorize", buildAuthorizeQuery({ owner_secret: SECRET, redirect_uri }));
			assert.ok(response.headers.get("location")?.startsWith(start), redirect_uri);
		}
	});

	it("accepts the form at the URL of the page", async (context) => {
		const { post } = await openServer(context);
		const response = await post(
			`/authorize?${buildAuthorizeQuery()}`,
			new URLSearchParams({ owner_secret: SECRET }),
		);
		assert.notEqual(readRedirect(response).get("code"), null);
	});

	it("shows the page again with 401 and issues no code for a wrong or missing secret", async (context) => {
		const { post, kv } = await openServer(context);
		for (const owner_secret of [
			"wrong",
			"",
			undefined,
			`${SECRET} `,
			SECRET.toUpperCase(),
			SECRET.slice(1),
		]) {
			const response = await post("/authorize", buildAuthorizeQuery({ owner_secret }));
			assert.equal(response.status, 401);
			assert.equal(response.headers.get("location"), null);
			const page = await response.text();
			assert.match(page, /name="owner_secret"/);
			assert.match(page, /role="alert"/);
			assert.ok(page.includes(`value="${CALLBACK}"`));
		}
		assert.deepEqual((await kv.list({ prefix: "" })).keys, []);
	});

	it("rejects a secret in the query and a repeated secret", async (context) => {
		const { post } = await openServer(context);
		const inLink = await post(`/authorize?owner_secret=${encodeURIComponent(SECRET)}`, buildAuthorizeQuery());
		assert.equal(inLink.status, 401);
		const twice = buildAuthorizeQuery({ owner_secret: SECRET });
		twice.append("owner_secret", SECRET);
		assert.equal((await post("/authorize", twice)).status, 400);
	});

	it("rejects forms sent from other origins", async (context) => {
		const { post } = await openServer(context, { environment: { BASE_URL: "https://other.example" } });
		const from = (origin: string) =>
			post("/authorize", buildAuthorizeQuery({ owner_secret: SECRET }), { headers: { origin } });
		for (const origin of ["https://evil.com", "null", `${ORIGIN}.evil.com`, `${ORIGIN}:444`, ""]) {
			const response = await from(origin);
			assert.equal(response.status, 403, origin);
			assert.equal(response.headers.get("location"), null);
		}
		for (const origin of [ORIGIN, "https://other.example"]) assert.equal((await from(origin)).status, 302);
	});

	it("accepts nothing but a form", async (context) => {
		const { post } = await openServer(context);
		const fields = Object.fromEntries(buildAuthorizeQuery({ owner_secret: SECRET }));
		for (const [body, type] of [
			[JSON.stringify(fields), "application/json"],
			[buildAuthorizeQuery({ owner_secret: SECRET }).toString(), "text/plain"],
			["--x--", "multipart/form-data; boundary=x"],
		] as const) {
			const response = await post("/authorize", body, { headers: { "content-type": type } });
			assert.equal(response.status, 400, type);
		}
		assert.equal((await post("/authorize", buildAuthorizeQuery({ state: "x".repeat(70_000) }))).status, 413);
	});

	it("stores codes only by their hash, and logs no secrets", async (context) => {
		const { codeFor, kv, store, lines, post } = await openServer(context);
		const code = await codeFor();
		await post("/authorize", buildAuthorizeQuery({ owner_secret: "a wrong secret" }));
		const { keys } = await kv.list({ prefix: "" });
		assert.equal(keys.length, 1);
		assert.match(keys[0] ?? "", /^code:[0-9a-f]{64}$/);
		const kept = [...keys, await kv.get(keys[0] ?? ""), ...lines];
		for await (const entry of store.entries.listAll({ owner_id: "_system", entry_type: "oauth_attempt" }))
			kept.push(JSON.stringify(entry));
		for (const text of kept) {
			for (const secret of [code, SECRET, "a wrong secret"]) assert.ok(!text?.includes(secret), text ?? "");
		}
	});
});
