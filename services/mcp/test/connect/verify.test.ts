import assert from "node:assert/strict";
import { test } from "node:test";
import { goodServer, type Handlers, ORIGIN, unauthorized, verify } from "./servers.ts";

/** The message of a check against a server with some answers replaced. All other checks must pass. */
async function findWrong(id: string, changes: Handlers, others: readonly string[] = []) {
	const { ok, checks } = await verify({ ...goodServer(), ...changes });
	assert.equal(ok, false);
	assert.deepEqual(
		checks.filter((check) => !check.ok).map((check) => check.id),
		[id, ...others],
	);
	const check = checks.find((each) => each.id === id);
	assert.ok(check?.fix, "it says how to mend it");
	return `${check.message} ${check.fix}`;
}

test("a correct server passes every check, in the order in which a client connects", async () => {
	const { ok, origin, checks } = await verify(goodServer());
	assert.deepEqual(
		checks.filter((check) => !check.ok),
		[],
	);
	assert.equal(ok, true);
	assert.equal(origin, ORIGIN);
	assert.deepEqual(
		checks.map(({ id }) => id),
		[
			"address",
			"challenge",
			"resource_documents",
			"server_documents",
			"browsers",
			"registration",
			"login",
			"protocol_2025_11_25",
			"protocol_2026_07_28",
		],
	);
	for (const { message, fix } of checks) assert.ok(message.endsWith(".") && fix === null);
});

test("says which known clients can log in, and what the others need", async () => {
	const { clients } = await verify(goodServer());
	assert.deepEqual(
		clients.map(({ id, accepted }) => [id, accepted]),
		[
			["claude", true],
			["claude-desktop", true],
			["claude-code", true],
			["cursor", true],
			["vscode", true],
			["chatgpt", false],
			["mcp-remote", true],
		],
	);
	const chatGpt = clients.find(({ id }) => id === "chatgpt");
	assert.match(chatGpt?.fix ?? "", /MCP_ALLOWED_REDIRECT_HOSTS=\+chatgpt\.com /);
	const { clients: all } = await verify(goodServer(ORIGIN, ["claude.ai", "claude.com", "chatgpt.com"]));
	assert.ok(all.every(({ accepted, fix }) => accepted && fix === null));
});

test("accepts a loopback address and says that it is for this machine only", async () => {
	for (const origin of ["http://127.0.0.1:8484", "http://localhost:8484", "http://[::1]:8484"]) {
		const { ok, checks } = await verify(goodServer(origin), { origin });
		assert.ok(ok);
		assert.match(checks[0]?.message ?? "", /^Only clients on this machine can connect/);
	}
});

test("recognizes an address of a private network", async () => {
	for (const origin of [
		"https://192.168.1.7",
		"https://10.0.0.1",
		"https://nas.local",
		"https://172.20.0.2",
	]) {
		const { checks } = await verify(goodServer(origin), { origin });
		assert.equal(checks[0]?.message, "Only clients in your own network can connect.");
	}
	const { checks } = await verify(goodServer("https://172.32.0.1"), { origin: "https://172.32.0.1" });
	assert.match(checks[0]?.message ?? "", /^Clients anywhere/);
});

test("rejects plain http beyond this machine, and addresses that are not origins", async () => {
	for (const origin of [
		"http://tripline.example",
		"https://tripline.example/",
		"https://tripline.example/path",
	]) {
		const { ok, checks } = await verify(goodServer(origin), { origin });
		assert.equal(ok, false);
		assert.match(checks[0]?.fix ?? "", /MCP_URL/);
	}
});

const RESOURCE = "GET /.well-known/oauth-protected-resource";
const ISSUER = "GET /.well-known/oauth-authorization-server";

test("finds a document that is missing at one of its two paths", async () => {
	const gone = { [`${RESOURCE}/mcp`]: () => new Response(null, { status: 404 }) };
	assert.match(await findWrong("resource_documents", gone), /oauth-protected-resource\/mcp answers 404/);
	const redirected = { [ISSUER]: () => new Response(null, { status: 308, headers: { location: "/x" } }) };
	assert.match(await findWrong("server_documents", redirected), /redirects \(308\); clients do not follow/);
	const page = { [ISSUER]: () => new Response("<html>", { headers: { "content-type": "text/html" } }) };
	assert.match(await findWrong("server_documents", page), /does not answer with a JSON object.*\.well-known/);
});

test("finds a document for another address", async () => {
	const other = () =>
		Response.json({ resource: "http://127.0.0.1:8484/mcp", authorization_servers: [ORIGIN] });
	assert.match(
		await findWrong("resource_documents", { [RESOURCE]: other }),
		/resource is "http:\/\/127\.0\.0\.1:8484\/mcp", but must be "https:\/\/tripline\.example\/mcp"\. Set MCP_URL/,
	);
	const foreign = () =>
		Response.json({ resource: `${ORIGIN}/mcp`, authorization_servers: ["https://x.example"] });
	assert.match(await findWrong("resource_documents", { [RESOURCE]: foreign }), /authorization_servers is/);
	const slash = () => Response.json({ issuer: `${ORIGIN}/` });
	assert.match(
		await findWrong("server_documents", { [ISSUER]: slash }),
		/issuer is "https:\/\/tripline\.example\/"/,
	);
});

test("finds an authorization server without S256 or with an endpoint elsewhere", async () => {
	const good = (await (await goodServer()[ISSUER]?.(new Request(ORIGIN)))?.json()) as object;
	const plain = () => Response.json({ ...good, code_challenge_methods_supported: ["plain"] });
	assert.match(
		await findWrong("server_documents", { [ISSUER]: plain }),
		/code_challenge_methods_supported is \["plain"\]/,
	);
	const elsewhere = () => Response.json({ ...good, token_endpoint: "https://x.example/token" });
	assert.match(
		await findWrong("server_documents", { [ISSUER]: elsewhere }),
		/token_endpoint is "https:\/\/x\.example/,
	);
	const missing = () => Response.json({ ...good, registration_endpoint: undefined });
	assert.match(
		await findWrong("server_documents", { [ISSUER]: missing }),
		/registration_endpoint is missing/,
	);
});

test("finds a challenge that is changed, missing or has another status", async () => {
	const replaceAnswers = (without: () => Response): Handlers => ({
		"POST /mcp": (request) =>
			request.headers.has("authorization") ? (goodServer()["POST /mcp"]?.(request) ?? without()) : without(),
	});
	const other = 'Bearer realm="x", resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource"';
	assert.match(
		await findWrong(
			"challenge",
			replaceAnswers(() => unauthorized(ORIGIN, other)),
		),
		/must be .*Set MCP_URL/s,
	);
	const stripped = () => {
		const response = unauthorized(ORIGIN);
		response.headers.delete("www-authenticate");
		return response;
	};
	assert.match(await findWrong("challenge", replaceAnswers(stripped)), /header is missing.*proxy/);
	const page = () => new Response("<html>", { status: 302 });
	assert.match(
		await findWrong("challenge", replaceAnswers(page), ["browsers"]),
		/answers 302 instead of 401/,
	);
});

test("finds what blocks browser clients", async () => {
	const bare = () => new Response(null, { status: 204 });
	assert.match(
		await findWrong("browsers", { "OPTIONS /token": bare }),
		/\/token does not allow calls from pages/,
	);
	const rejectUnauthorized = () => unauthorized(ORIGIN);
	assert.match(
		await findWrong("browsers", { "OPTIONS /mcp": rejectUnauthorized }),
		/\/mcp does not allow calls from pages .*\(401\)/,
	);
	const few = () =>
		new Response(null, {
			headers: {
				"access-control-allow-origin": "*",
				"access-control-allow-headers": "authorization, content-type",
			},
		});
	assert.match(
		await findWrong("browsers", { "OPTIONS /mcp": few }),
		/does not allow browsers to send the headers mcp-protocol-version, mcp-method, mcp-name/,
	);
});

test("names the missing setting when login is disabled", async () => {
	const unset = () => Response.json({ error: "temporarily_unavailable" }, { status: 503 });
	assert.match(await findWrong("registration", { "POST /register": unset }), /OAUTH_KV/);
	assert.match(await findWrong("login", { "GET /authorize": unset }), /MCP_OWNER_SECRET/);
	const elsewhere = () => new Response("<h1>Sign in to your proxy</h1>");
	assert.match(await findWrong("login", { "GET /authorize": elsewhere }), /does not show the login page/);
});

test("reports a rejected or missing credential", async () => {
	const none = await verify(goodServer(), { authorization: null });
	const refused = await verify(goodServer(), { authorization: "Bearer other" });
	for (const [{ checks }, said] of [
		[none, /^Not checked/],
		[refused, /rejects the credential/],
	] as const) {
		const failed = checks.filter(({ ok }) => !ok);
		assert.deepEqual(
			failed.map(({ id }) => id),
			["protocol_2025_11_25", "protocol_2026_07_28"],
		);
		for (const { message } of failed) assert.match(message, said);
		assert.ok(!JSON.stringify(checks).includes("Bearer other"));
	}
});

test("finds a server that supports only one protocol revision", async () => {
	const old: Handlers = {
		"POST /mcp": async (request) => {
			const { method } = (await request.clone().json()) as { method: string };
			if (method === "initialize") return goodServer()["POST /mcp"]?.(request) ?? new Response();
			return Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } });
		},
	};
	assert.match(await findWrong("protocol_2026_07_28", old), /answers with an error: .*Method not found/);
});

test("a server that does not respond fails every check but the first", async () => {
	const { ok, checks, clients } = await verify(
		new Proxy({}, { get: () => () => Promise.reject(new TypeError("fetch failed")) }),
	);
	assert.equal(ok, false);
	const failed = checks.filter((check) => !check.ok);
	assert.equal(failed.length, checks.length - 1);
	for (const { message } of failed) assert.match(message, /^No response from https:\/\/tripline\.example\//);
	assert.ok(clients.every(({ accepted, fix }) => !accepted && fix !== null));
});
