import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { parseChallenge } from "@tripline/components/mcp/challenge";
import { Failed } from "@tripline/contract/failures";
import { type HttpRequest, OutboundRefused } from "@tripline/platform/http";
import { mcpSignIns } from "../src/mcp-sign-in/sign-ins.ts";
import { ownedComponentStorage } from "../src/storage/owned-components.ts";
import { vaultFixture } from "./vault-fixture.ts";

const OWNER = "alice";
const SERVER = "https://mcp.example.com/tools/mcp";
const ISSUER = "https://auth.example.com";
const RESOURCE_METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource/tools/mcp";
const SERVER_METADATA = "https://auth.example.com/.well-known/oauth-authorization-server";
const REGISTRATION = "https://auth.example.com/register";
const REDIRECT = "https://tripline.example.com/oauth/callback/mcp_crm";

type Answer = object | string | number | Error | { readonly status: number; readonly location: string };

const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER] };
const METADATA = {
	issuer: ISSUER,
	authorization_endpoint: `${ISSUER}/authorize`,
	token_endpoint: `${ISSUER}/token`,
	registration_endpoint: REGISTRATION,
	code_challenge_methods_supported: ["plain", "S256"],
};
const REGISTERED = { client_id: "client-7", client_secret: "client-canary-secret" };

/** The documents at their addresses; everything else is not found. */
async function open(t: TestContext, answers: Readonly<Record<string, Answer>>, more: object = {}) {
	const fixture = await vaultFixture(t);
	const vault = fixture.vault();
	const sent: HttpRequest[] = [];
	const served: Record<string, Answer> = {
		[RESOURCE_METADATA]: RESOURCE,
		[SERVER_METADATA]: METADATA,
		[REGISTRATION]: REGISTERED,
		...answers,
	};
	const world = {
		...fixture,
		vault,
		sent,
		served,
		challenge: null as string | null,
		base: "https://tripline.example.com",
		listAddresses: () => sent.map(({ method, url }) => `${method} ${url.href}`),
		findRecipe: async () => (await fixture.catalogues.catalogue(OWNER)).findAuthRecipe("mcp_crm"),
		async findInject() {
			const recipe = await world.findRecipe();
			assert.equal(recipe?.type, "oauth2_authorization_code");
			return recipe.inject;
		},
		readFields: async () => (await vault.reveal(OWNER, "mcp_crm", { isFresh: true }))?.fields,
		prepare: (wishes: object = {}, url = SERVER) =>
			signIns.prepare(OWNER, { name: "crm", url: new URL(url) }, { client: null, scope: null, ...wishes }),
	};
	const signIns = mcpSignIns({
		vault,
		catalogues: fixture.catalogues,
		storage: ownedComponentStorage(fixture.store),
		clock: fixture.clock,
		isMultiTenant: false,
		requireBaseUrl: () => world.base,
		findChallenge: async () => world.challenge,
		async send(request) {
			sent.push(request);
			return toAnswer(served[request.url.href], request.method);
		},
		...more,
	});
	return { ...world, world, signIns };
}

function toAnswer(answer: Answer | undefined, method: string) {
	if (answer instanceof Error) throw answer;
	if (answer === undefined) return { status: 404, headers: {}, body: toBytes("not found") };
	if (typeof answer === "number") return { status: answer, headers: {}, body: toBytes("{}") };
	if (typeof answer === "string") return { status: 200, headers: {}, body: toBytes(answer) };
	if ("location" in answer && typeof answer.location === "string")
		return { status: 302, headers: { location: answer.location }, body: toBytes("") };
	return { status: method === "POST" ? 201 : 200, headers: {}, body: toBytes(JSON.stringify(answer)) };
}

const toBytes = (text: string) => new TextEncoder().encode(text);

const assertRefused = (work: Promise<unknown>, message: RegExp, kind = "bad_gateway") =>
	assert.rejects(work, (error) => {
		assert.ok(error instanceof Failed, String(error));
		assert.equal(error.failure.kind, kind);
		assert.match(error.message, message);
		return true;
	});

describe("a challenge", () => {
	test("is read beside other schemes, quoted or not", () => {
		const expected = { resourceMetadata: "https://a.example.com/x,y", scope: "read write", error: null };
		const bearer =
			'Bearer realm="a \\"b\\"", scope="read write", resource_metadata="https://a.example.com/x,y"';
		assert.deepEqual(parseChallenge(bearer), expected);
		assert.deepEqual(parseChallenge(`Basic realm="x", ${bearer}, DPoP scope="other"`), expected);
		assert.deepEqual(parseChallenge("bearer"), { resourceMetadata: null, scope: null, error: null });
		assert.equal(parseChallenge("bearer error=insufficient_scope,scope=a")?.error, "insufficient_scope");
	});

	test("is null without Bearer, and ends where it is not understood", () => {
		for (const header of [null, "", "Basic realm=x", '"', "=", ",,,", "x".repeat(9_000)])
			assert.equal(parseChallenge(header), null);
		assert.equal(parseChallenge('Bearer scope="a", resource_metadata="https://a')?.scope, "a");
	});
});

describe("signing in at an MCP server", () => {
	test("reads the metadata, registers, and makes the recipe and the credential", async (t) => {
		const { prepare, findRecipe, readFields, sent, listAddresses } = await open(t, {});
		assert.equal(await prepare(), "mcp_crm");
		assert.deepEqual(listAddresses(), [
			`GET ${RESOURCE_METADATA}`,
			`GET ${SERVER_METADATA}`,
			`POST ${REGISTRATION}`,
		]);
		assert.deepEqual(JSON.parse(String(sent[2]?.body)), {
			client_name: "Tripline",
			client_uri: "https://tripline.example.com",
			redirect_uris: [REDIRECT],
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
			application_type: "web",
			token_endpoint_auth_method: "client_secret_basic",
		});
		const recipe = await findRecipe();
		assert.deepEqual(recipe?.hosts, ["mcp.example.com"]);
		assert.deepEqual(recipe?.inject, {
			authorize_url: `${ISSUER}/authorize`,
			token_url: `${ISSUER}/token`,
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "basic",
			resource: SERVER,
			issuer: ISSUER,
		});
		assert.deepEqual(await readFields(), { ...REGISTERED, server_url: SERVER, redirect_url: REDIRECT });
	});

	test("looks where the challenge says, then with the path, then without it", async (t) => {
		const root = "https://mcp.example.com/.well-known/oauth-protected-resource";
		const served = { [RESOURCE_METADATA]: 404, [root]: { ...RESOURCE, resource: "https://mcp.example.com" } };
		const { world, prepare, listAddresses } = await open(t, served);
		world.challenge = 'Bearer resource_metadata="https://mcp.example.com/meta"';
		await prepare();
		assert.deepEqual(listAddresses().slice(0, 3), [
			"GET https://mcp.example.com/meta",
			`GET ${RESOURCE_METADATA}`,
			`GET ${root}`,
		]);
	});

	test("looks for an issuer with a path in all three places", async (t) => {
		const issuer = `${ISSUER}/tenant`;
		const found = { ...METADATA, issuer };
		const { prepare, listAddresses, findInject } = await open(t, {
			[RESOURCE_METADATA]: { ...RESOURCE, authorization_servers: [issuer] },
			[`${issuer}/.well-known/openid-configuration`]: found,
		});
		await prepare();
		assert.deepEqual(listAddresses().slice(1, 4), [
			`GET ${ISSUER}/.well-known/oauth-authorization-server/tenant`,
			`GET ${ISSUER}/.well-known/openid-configuration/tenant`,
			`GET ${ISSUER}/tenant/.well-known/openid-configuration`,
		]);
		assert.equal((await findInject()).issuer, issuer);
	});

	test("asks the server itself if it has no resource metadata", async (t) => {
		const origin = "https://mcp.example.com";
		const { prepare, findInject } = await open(t, {
			[RESOURCE_METADATA]: 404,
			[`${origin}/.well-known/oauth-authorization-server`]: { ...METADATA, issuer: origin },
		});
		await prepare();
		assert.equal((await findInject()).resource, SERVER);
	});

	test("asks for the scopes of the challenge, else for those of the resource, and to stay signed in", async (t) => {
		const { world, served, prepare, findInject } = await open(t, {});
		const getScope = async () => (await findInject()).scope;
		await prepare();
		assert.equal(await getScope(), undefined);
		served[RESOURCE_METADATA] = { ...RESOURCE, scopes_supported: ["read", "write"] };
		await prepare();
		assert.equal(await getScope(), "read write");
		served[SERVER_METADATA] = { ...METADATA, scopes_supported: ["offline_access"] };
		world.challenge = 'Bearer scope="read"';
		await prepare();
		assert.equal(await getScope(), "read offline_access");
	});

	test("adds rights to those that were asked for before, without a new client", async (t) => {
		const { world, prepare, findInject, listAddresses, readFields } = await open(t, {});
		world.challenge = 'Bearer scope="read"';
		await prepare();
		const before = await readFields();
		await prepare({ scope: "write read" });
		assert.equal((await findInject()).scope, "read write");
		assert.deepEqual(await readFields(), before);
		assert.equal(listAddresses().filter((address) => address.startsWith("POST")).length, 1);
	});

	test("is known by its document where the authorization server takes one, and this service has https", async (t) => {
		const { world, served, prepare, readFields, findInject, listAddresses } = await open(t, {});
		served[SERVER_METADATA] = { ...METADATA, client_id_metadata_document_supported: true };
		await prepare();
		const id = "https://tripline.example.com/oauth/client/mcp_crm";
		assert.deepEqual(await readFields(), { client_id: id, server_url: SERVER, redirect_url: REDIRECT });
		assert.equal((await findInject()).client_auth, "none");
		assert.ok(!listAddresses().includes(`POST ${REGISTRATION}`));
		world.base = "http://127.0.0.1:8484";
		await prepare();
		assert.equal((await readFields())?.client_id, "client-7");
	});

	test("uses the owner's client, and asks for one where none can be registered", async (t) => {
		const { registration_endpoint: _, ...metadata } = METADATA;
		const { prepare, readFields } = await open(t, { [SERVER_METADATA]: metadata });
		await assertRefused(prepare(), /register one there with the redirect URL https:.*client_id/, "conflict");
		await prepare({ client: { id: "mine", secret: "my-secret" } });
		await prepare();
		assert.deepEqual(await readFields(), {
			client_id: "mine",
			client_secret: "my-secret",
			server_url: SERVER,
		});
	});

	test("authenticates as the registration says", async (t) => {
		for (const [method, by] of [
			["client_secret_post", "body"],
			["client_secret_basic", "basic"],
			["none", "none"],
		]) {
			const supported = { token_endpoint_auth_methods_supported: [method] };
			const { prepare, findInject, served } = await open(t, {
				[SERVER_METADATA]: { ...METADATA, ...supported },
			});
			if (method === "none") served[REGISTRATION] = { client_id: "client-7" };
			await prepare();
			assert.equal((await findInject()).client_auth, by);
		}
	});

	test("registers again after the secret has expired, and at another address of this service", async (t) => {
		const { world, served, prepare, readFields, listAddresses, clock } = await open(t, {});
		const seconds = Math.floor(clock.now() / 1000) + 3600;
		served[REGISTRATION] = { ...REGISTERED, client_secret_expires_at: seconds };
		const count = () => listAddresses().filter((address) => address.startsWith("POST")).length;
		await prepare();
		await prepare();
		assert.equal(count(), 1);
		clock.advance(3_600_000);
		await prepare();
		assert.equal(count(), 2);
		world.base = "https://new.example.com";
		served[REGISTRATION] = REGISTERED;
		await prepare();
		assert.equal(count(), 3);
		assert.equal((await readFields())?.redirect_url, "https://new.example.com/oauth/callback/mcp_crm");
	});

	test("never uses a client at another authorization server", async (t) => {
		const { served, prepare, readFields, findInject } = await open(t, {});
		await prepare();
		const other = "https://other.example.com";
		served[RESOURCE_METADATA] = { ...RESOURCE, authorization_servers: [other] };
		served[`${other}/.well-known/oauth-authorization-server`] = {
			...METADATA,
			issuer: other,
			token_endpoint: `${other}/token`,
			registration_endpoint: `${other}/register`,
		};
		served[`${other}/register`] = { client_id: "client-of-other" };
		await prepare();
		assert.equal((await readFields())?.client_id, "client-of-other");
		assert.equal((await readFields())?.client_secret, undefined);
		assert.equal((await findInject()).token_url, `${other}/token`);
	});

	test("asks the owner again whose client was for another authorization server", async (t) => {
		const { served, prepare, readFields } = await open(t, {});
		await prepare({ client: { id: "mine", secret: "my-secret" } });
		const other = "https://other.example.com";
		served[RESOURCE_METADATA] = { ...RESOURCE, authorization_servers: [other] };
		served[`${other}/.well-known/oauth-authorization-server`] = { ...METADATA, issuer: other };
		await assertRefused(prepare(), /now signs in at https:\/\/other.example.com/, "conflict");
		assert.equal((await readFields())?.client_secret, "my-secret");
	});

	test("requires iss where the authorization server says that it sends it", async (t) => {
		const { prepare, findInject } = await open(t, {
			[SERVER_METADATA]: { ...METADATA, authorization_response_iss_parameter_supported: true },
		});
		await prepare();
		assert.equal((await findInject()).issuer_required, true);
	});

	test("leaves a credential alone that somebody else named so", async (t) => {
		const { prepare, vault } = await open(t, {});
		await vault.put(OWNER, "mcp_crm", { auth_recipe: "bearer_token", fields: { token: "mine" } });
		await assertRefused(prepare(), /another credential with the name mcp_crm/, "conflict");
	});

	test("knows the server of its credential, and removes both", async (t) => {
		const { prepare, signIns, readFields, findRecipe } = await open(t, {});
		await prepare();
		assert.deepEqual(await signIns.findServer(OWNER, "mcp_crm"), { name: "crm", url: new URL(SERVER) });
		assert.equal(await signIns.findServer("bob", "mcp_crm"), null);
		await signIns.remove(OWNER, "crm");
		assert.equal(await readFields(), undefined);
		assert.equal(await findRecipe(), null);
	});
});

describe("a hostile MCP server is refused that", () => {
	const withResource = (more: object) => ({ [RESOURCE_METADATA]: { ...RESOURCE, ...more } });
	const withMetadata = (more: object) => ({ [SERVER_METADATA]: { ...METADATA, ...more } });
	const inner = new OutboundRefused("10.0.0.1 is not a public address");
	const cases: Readonly<Record<string, readonly [Readonly<Record<string, Answer>>, RegExp]>> = {
		"describes another resource": [
			withResource({ resource: "https://bank.example.com/mcp" }),
			/another resource than https:\/\/mcp/,
		],
		"describes a resource below its address": [
			withResource({ resource: `${SERVER}/inner` }),
			/another resource/,
		],
		"describes a resource whose path only starts alike": [
			withResource({ resource: "https://mcp.example.com/too" }),
			/another resource/,
		],
		"names an inner address as its authorization server": [
			{
				...withResource({ authorization_servers: ["https://10.0.0.1"] }),
				"https://10.0.0.1/.well-known/oauth-authorization-server": inner,
			},
			/is refused: 10\.0\.0\.1 is not a public address/,
		],
		"names an authorization server without https": [
			withResource({ authorization_servers: ["http://auth.example.com"] }),
			/authorization server .* must use https/,
		],
		"names an authorization server on this machine without https": [
			withResource({ authorization_servers: ["http://127.0.0.1:8484"] }),
			/must use https/,
		],
		"names an authorization server that is no address": [
			withResource({ authorization_servers: ["javascript:alert(1)"] }),
			/not a valid address/,
		],
		"names no authorization server": [withResource({ authorization_servers: [] }), /invalid document/],
		"names endless authorization servers": [
			withResource({ authorization_servers: Array(1_000).fill(ISSUER) }),
			/invalid document/,
		],
		"names another's issuer": [withMetadata({ issuer: "https://bank.example.com" }), /another issuer/],
		"names an issuer that differs in the path": [withMetadata({ issuer: `${ISSUER}/x` }), /another issuer/],
		"has no PKCE": [withMetadata({ code_challenge_methods_supported: undefined }), /PKCE with S256/],
		"has only plain PKCE": [withMetadata({ code_challenge_methods_supported: ["plain"] }), /PKCE with S256/],
		"has a token endpoint without https": [
			withMetadata({ token_endpoint: "http://auth.example.com/token" }),
			/token endpoint .* must use https/,
		],
		"has an authorization endpoint that is a script": [
			withMetadata({ authorization_endpoint: "javascript:alert(1)" }),
			/authorization endpoint .* not a valid address/,
		],
		"has an authorization endpoint that takes the client's secret": [
			withMetadata({ authorization_endpoint: `${ISSUER}/authorize?x={client_secret}` }),
			/not a valid address/,
		],
		"has a token endpoint with a password": [
			withMetadata({ token_endpoint: "https://a:b@auth.example.com/token" }),
			/not a valid address/,
		],
		"has a registration endpoint at an inner address": [
			{ ...withMetadata({ registration_endpoint: "https://10.0.0.1/r" }), "https://10.0.0.1/r": inner },
			/is refused/,
		],
		"registers a client without an id": [{ [REGISTRATION]: { client_secret: "x".repeat(9) } }, /invalid/],
		"registers a client whose secret could not be redacted": [
			{ [REGISTRATION]: { client_id: "a", client_secret: "b" } },
			/at least 4 characters/,
		],
		"registers a client with keys": [
			{ [REGISTRATION]: { client_id: "a", token_endpoint_auth_method: "private_key_jwt" } },
			/not supported/,
		],
		"redirects its metadata to another host": [
			{ [RESOURCE_METADATA]: { location: "https://evil.example.com/" } },
			/to another host/,
		],
		"redirects its metadata in a circle": [
			{ [RESOURCE_METADATA]: { location: RESOURCE_METADATA } },
			/redirects too often/,
		],
		"redirects the registration": [{ [REGISTRATION]: { location: `${ISSUER}/r` } }, /answered 302/],
		"sends endless metadata": [
			{ [RESOURCE_METADATA]: new OutboundRefused("the response is larger than 262144 bytes") },
			/larger than/,
		],
		stalls: [{ [RESOURCE_METADATA]: new Error("timed out after 10000 ms") }, /cannot be reached/],
		"says nothing": [
			{ [RESOURCE_METADATA]: "<html>", [SERVER_METADATA]: 404 },
			/does not say how to sign in/,
		],
		"has metadata that is a list": [{ [SERVER_METADATA]: "[]" }, /does not say how to sign in/],
		"has metadata without endpoints": [{ [SERVER_METADATA]: { issuer: ISSUER } }, /invalid document/],
	};
	for (const [name, [answers, message]] of Object.entries(cases)) {
		test(name, async (t) => {
			const { prepare, readFields, findRecipe } = await open(t, answers);
			await assertRefused(prepare(), message);
			assert.equal(await readFields(), undefined);
			assert.equal(await findRecipe(), null);
		});
	}

	test("names a metadata address in its challenge that is none", async (t) => {
		const { world, prepare, sent } = await open(t, {});
		world.challenge = 'Bearer resource_metadata="file:///etc/passwd"';
		await assertRefused(prepare(), /resource metadata .* not a valid address/);
		assert.deepEqual(sent, []);
	});

	test("asks for scopes with the client's secret in them, which are left out", async (t) => {
		const { world, prepare, findInject } = await open(t, {});
		world.challenge = 'Bearer scope="{client_secret} read"';
		await prepare();
		assert.equal((await findInject()).scope, "read");
	});

	test("limits every request in time and size", async (t) => {
		const { prepare, sent } = await open(t, {});
		await prepare();
		for (const { timeoutMs, maxBytes } of sent) {
			assert.ok(timeoutMs <= 10_000);
			assert.ok(maxBytes <= 256 * 1024);
		}
	});
});
