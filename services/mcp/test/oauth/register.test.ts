import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { buildAuthorizeQuery, CALLBACK, json, openServer, readError } from "./open-server.ts";

const CURSOR = [
	"cursor://anysphere.cursor-mcp/oauth/callback",
	"https://www.cursor.com/agents/mcp/oauth/callback",
	"http://localhost:8787/callback",
];

interface Registered {
	readonly client_id: string;
	readonly client_name?: string;
	readonly redirect_uris: string[];
	readonly token_endpoint_auth_method: string;
}

describe("POST /register", () => {
	it("registers a public client and stores nothing", async (context) => {
		const { post, kv, store, clock } = await openServer(context);
		const response = await post("/register", body({ redirect_uris: [CALLBACK], client_name: "Claude" }), {
			headers: json,
		});
		assert.equal(response.status, 201);
		assert.equal(response.headers.get("cache-control"), "no-store");
		const { client_id, ...rest } = (await response.json()) as Registered;
		assert.match(client_id, /^tlc_[A-Za-z0-9_-]+$/);
		assert.deepEqual(rest, {
			client_id_issued_at: clock.time / 1000,
			client_name: "Claude",
			redirect_uris: [CALLBACK],
			token_endpoint_auth_method: "none",
			grant_types: ["authorization_code"],
			response_types: ["code"],
		});
		assert.deepEqual((await kv.list({ prefix: "" })).keys, []);
		assert.deepEqual((await store.entries.list({ owner_id: "_system" })).entries, []);
	});

	it("registers the allowed ones of Cursor's three redirect URIs", async (context) => {
		const { post } = await openServer(context);
		const registered = await readClientId(await post("/register", body({ redirect_uris: CURSOR })));
		assert.deepEqual(registered.redirect_uris, ["http://localhost:8787/callback"]);
		const wider = await openServer(context, { environment: { MCP_ALLOWED_REDIRECT_HOSTS: "+cursor.com" } });
		const both = await readClientId(await wider.post("/register", body({ redirect_uris: CURSOR })));
		assert.deepEqual(both.redirect_uris, CURSOR.slice(1));
	});

	it("ignores unknown fields, and issues no secret even on request", async (context) => {
		const { post } = await openServer(context);
		const asked = {
			redirect_uris: [CALLBACK, 7, null],
			client_name: { no: "text" },
			token_endpoint_auth_method: "client_secret_basic",
			grant_types: ["authorization_code", "refresh_token", "implicit"],
			response_types: ["code", "token"],
			scope: "openid email profile",
			application_type: "native",
			jwks: { keys: [] },
			software_statement: "x",
		};
		const registered = await readClientId(await post("/register", body(asked)));
		assert.equal(registered.token_endpoint_auth_method, "none");
		assert.equal("client_secret" in registered, false);
		assert.equal("client_name" in registered, false);
	});

	it("gives every registration an id of its own", async (context) => {
		const { post } = await openServer(context);
		const ids = await Promise.all(
			[1, 2].map(
				async () =>
					(await readClientId(await post("/register", body({ redirect_uris: [CALLBACK] })))).client_id,
			),
		);
		assert.notEqual(ids[0], ids[1]);
	});

	it("rejects a client without an allowed redirect URI, and says why", async (context) => {
		const { post } = await openServer(context);
		const response = await post("/register", body({ redirect_uris: ["https://evil.com/x"] }));
		assert.equal(response.status, 400);
		const { error, error_description } = (await response.json()) as Record<string, string>;
		assert.equal(error, "invalid_redirect_uri");
		assert.match(error_description ?? "", /evil\.com.*MCP_ALLOWED_REDIRECT_HOSTS/);
	});

	for (const [what, text, error] of [
		["no JSON", "{", "invalid_client_metadata"],
		["nothing", "", "invalid_client_metadata"],
		["a list", "[]", "invalid_client_metadata"],
		["null", "null", "invalid_client_metadata"],
		["a number", "7", "invalid_client_metadata"],
		["no redirect_uris", "{}", "invalid_redirect_uri"],
		["no address among them", '{"redirect_uris":[]}', "invalid_redirect_uri"],
		["text for a list", `{"redirect_uris":"${CALLBACK}"}`, "invalid_redirect_uri"],
		["numbers", '{"redirect_uris":[1,{"a":2}]}', "invalid_redirect_uri"],
		["an inherited list", `{"__proto__":{"redirect_uris":["${CALLBACK}"]}}`, "invalid_redirect_uri"],
		["a lone surrogate", '{"redirect_uris":["https://claude.ai/\\ud800"]}', "invalid_redirect_uri"],
		[
			"very many",
			body({ redirect_uris: Array.from({ length: 200 }, (_, n) => `${CALLBACK}/${n}`) }),
			"invalid_redirect_uri",
		],
	] as const) {
		it(`answers 400 to ${what}`, async (context) => {
			const { post } = await openServer(context);
			const response = await post("/register", text, { headers: json });
			assert.equal(response.status, 400);
			assert.equal(await readError(response), error);
		});
	}

	it("answers 413 to more than 64 KiB", async (context) => {
		const { post } = await openServer(context);
		const response = await post("/register", body({ redirect_uris: [CALLBACK], x: "y".repeat(65_536) }));
		assert.equal(response.status, 413);
		assert.equal(await readError(response), "invalid_request");
	});

	it("answers 503 without OAUTH_KV, and works without an owner secret", async (context) => {
		const without = await openServer(context, { kv: () => null });
		const refused = await without.post("/register", body({ redirect_uris: [CALLBACK] }));
		assert.equal(refused.status, 503);
		assert.equal(await readError(refused), "temporarily_unavailable");
		const unset = await openServer(context, { environment: { MCP_OWNER_SECRET: "" } });
		assert.equal((await unset.post("/register", body({ redirect_uris: [CALLBACK] }))).status, 201);
	});

	it("handles any JSON", async (context) => {
		const { post } = await openServer(context);
		await fc.assert(
			fc.asyncProperty(fc.json(), fc.json(), async (all, uris) => {
				for (const text of [all, `{"redirect_uris":${uris},"client_name":${all}}`]) {
					const { status } = await post("/register", text);
					assert.ok(status === 400 || status === 201, text);
				}
			}),
			{ numRuns: 100 },
		);
	});
});

describe("a client_id that was registered", () => {
	it("limits the client to its registered redirect URIs", async (context) => {
		const { post, call } = await openServer(context);
		const { client_id } = await readClientId(
			await post("/register", body({ redirect_uris: [CALLBACK, "http://localhost:1234/callback"] })),
		);
		const readStatus = async (redirect_uri: string) =>
			(await call(`/authorize?${buildAuthorizeQuery({ client_id, redirect_uri })}`)).status;
		assert.equal(await readStatus(CALLBACK), 200);
		assert.equal(await readStatus("http://localhost:5678/callback"), 200);
		assert.equal(await readStatus("http://localhost:5678/other"), 400);
		assert.equal(await readStatus("https://claude.com/api/mcp/auth_callback"), 400);
	});

	it("shows the client's name", async (context) => {
		const { post, call } = await openServer(context);
		const { client_id } = await readClientId(
			await post("/register", body({ redirect_uris: [CALLBACK], client_name: "<b>Clau\u202ede</b>\n" })),
		);
		const page = await (await call(`/authorize?${buildAuthorizeQuery({ client_id })}`)).text();
		assert.match(page, /&lt;b&gt;Clau de&lt;\/b&gt;/);
		assert.doesNotMatch(page, /<b>/);
	});

	it("cannot allow hosts that are not on the list", async (context) => {
		const { call } = await openServer(context);
		const made = `tlc_${Buffer.from(body({ name: "Claude", redirect_uris: ["https://evil.com/"] })).toString("base64url")}`;
		const response = await call(
			`/authorize?${buildAuthorizeQuery({ client_id: made, redirect_uri: "https://evil.com/" })}`,
		);
		assert.equal(response.status, 400);
	});

	it("is an opaque name if it cannot be decoded", async (context) => {
		const { call } = await openServer(context);
		for (const client_id of [
			"tlc_",
			"tlc_!",
			"tlc_bnVsbA",
			"tlc_W10",
			"tlc_e30",
			"0b6f-from-long-ago",
			"null",
		])
			assert.equal((await call(`/authorize?${buildAuthorizeQuery({ client_id })}`)).status, 200, client_id);
	});
});

function body(metadata: object): string {
	return JSON.stringify(metadata);
}

async function readClientId(response: Response): Promise<Registered> {
	assert.equal(response.status, 201);
	return (await response.json()) as Registered;
}
