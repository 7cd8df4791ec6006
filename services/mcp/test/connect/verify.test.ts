import assert from "node:assert/strict";
import { test } from "node:test";
import { goodServer, type Handlers, ORIGIN, unauthorized, verify } from "./servers.ts";

/** What a check says of a server of which some answers are replaced. All the other checks must be content. */
async function wrong(id: string, changes: Handlers, others: readonly string[] = []) {
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

test("a server that is well passes every check, in the order in which a client meets them", async () => {
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

test("it says which of the known clients would be let in, and what the others need", async () => {
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

test("a loopback address is well, and said to be for this machine only", async () => {
	for (const origin of ["http://127.0.0.1:8484", "http://localhost:8484", "http://[::1]:8484"]) {
		const { ok, checks } = await verify(goodServer(origin), { origin });
		assert.ok(ok);
		assert.match(checks[0]?.message ?? "", /^Only clients on this machine can connect/);
	}
});

test("an address of a private network is said to be one", async () => {
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

test("plain http beyond this machine, and what is no origin, are wrong", async () => {
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

test("a document that is missing at one of its two paths is found", async () => {
	const gone = { [`${RESOURCE}/mcp`]: () => new Response(null, { status: 404 }) };
	assert.match(await wrong("resource_documents", gone), /oauth-protected-resource\/mcp answers 404/);
	const redirected = { [ISSUER]: () => new Response(null, { status: 308, headers: { location: "/x" } }) };
	assert.match(await wrong("server_documents", redirected), /redirects \(308\); clients do not follow/);
	const page = { [ISSUER]: () => new Response("<html>", { headers: { "content-type": "text/html" } }) };
	assert.match(await wrong("server_documents", page), /does not answer with a JSON object.*\.well-known/);
});

test("a document made for another address is found", async () => {
	const other = () =>
		Response.json({ resource: "http://127.0.0.1:8484/mcp", authorization_servers: [ORIGIN] });
	assert.match(
		await wrong("resource_documents", { [RESOURCE]: other }),
		/resource is "http:\/\/127\.0\.0\.1:8484\/mcp", but must be "https:\/\/tripline\.example\/mcp"\. Set MCP_URL/,
	);
	const foreign = () =>
		Response.json({ resource: `${ORIGIN}/mcp`, authorization_servers: ["https://x.example"] });
	assert.match(await wrong("resource_documents", { [RESOURCE]: foreign }), /authorization_servers is/);
	const slash = () => Response.json({ issuer: `${ORIGIN}/` });
	assert.match(
		await wrong("server_documents", { [ISSUER]: slash }),
		/issuer is "https:\/\/tripline\.example\/"/,
	);
});

test("a login without S256 or with an endpoint elsewhere is found", async () => {
	const good = (await (await goodServer()[ISSUER]?.(new Request(ORIGIN)))?.json()) as object;
	const plain = () => Response.json({ ...good, code_challenge_methods_supported: ["plain"] });
	assert.match(
		await wrong("server_documents", { [ISSUER]: plain }),
		/code_challenge_methods_supported is \["plain"\]/,
	);
	const elsewhere = () => Response.json({ ...good, token_endpoint: "https://x.example/token" });
	assert.match(
		await wrong("server_documents", { [ISSUER]: elsewhere }),
		/token_endpoint is "https:\/\/x\.example/,
	);
	const missing = () => Response.json({ ...good, registration_endpoint: undefined });
	assert.match(await wrong("server_documents", { [ISSUER]: missing }), /registration_endpoint is missing/);
});

test("a challenge that is changed, missing or of another status is found", async () => {
	const answers = (without: () => Response): Handlers => ({
		"POST /mcp": (request) =>
			request.headers.has("authorization") ? (goodServer()["POST /mcp"]?.(request) ?? without()) : without(),
	});
	const other = 'Bearer realm="x", resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource"';
	assert.match(
		await wrong(
			"challenge",
			answers(() => unauthorized(ORIGIN, other)),
		),
		/must be .*Set MCP_URL/s,
	);
	const stripped = () => {
		const response = unauthorized(ORIGIN);
		response.headers.delete("www-authenticate");
		return response;
	};
	assert.match(await wrong("challenge", answers(stripped)), /header is missing.*proxy/);
	const page = () => new Response("<html>", { status: 302 });
	assert.match(await wrong("challenge", answers(page), ["browsers"]), /answers 302 instead of 401/);
});

test("what keeps browsers out is found", async () => {
	const bare = () => new Response(null, { status: 204 });
	assert.match(
		await wrong("browsers", { "OPTIONS /token": bare }),
		/\/token does not allow calls from pages/,
	);
	const asked = () => unauthorized(ORIGIN);
	assert.match(
		await wrong("browsers", { "OPTIONS /mcp": asked }),
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
		await wrong("browsers", { "OPTIONS /mcp": few }),
		/does not allow browsers to send the headers mcp-protocol-version, mcp-method, mcp-name/,
	);
});

test("a server on which nobody can log in says which setting is missing", async () => {
	const unset = () => Response.json({ error: "temporarily_unavailable" }, { status: 503 });
	assert.match(await wrong("registration", { "POST /register": unset }), /OAUTH_KV/);
	assert.match(await wrong("login", { "GET /authorize": unset }), /MCP_OWNER_SECRET/);
	const elsewhere = () => new Response("<h1>Sign in to your proxy</h1>");
	assert.match(await wrong("login", { "GET /authorize": elsewhere }), /does not show the login page/);
});

test("a credential that is refused or not there is said to be so", async () => {
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

test("a server of one protocol revision is found", async () => {
	const old: Handlers = {
		"POST /mcp": async (request) => {
			const { method } = (await request.clone().json()) as { method: string };
			if (method === "initialize") return goodServer()["POST /mcp"]?.(request) ?? new Response();
			return Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } });
		},
	};
	assert.match(await wrong("protocol_2026_07_28", old), /answers with an error: .*Method not found/);
});

test("a server that does not answer fails every check but the first, and says so", async () => {
	const { ok, checks, clients } = await verify(
		new Proxy({}, { get: () => () => Promise.reject(new TypeError("fetch failed")) }),
	);
	assert.equal(ok, false);
	const failed = checks.filter((check) => !check.ok);
	assert.equal(failed.length, checks.length - 1);
	for (const { message } of failed) assert.match(message, /^No response from https:\/\/tripline\.example\//);
	assert.ok(clients.every(({ accepted, fix }) => !accepted && fix !== null));
});
