import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeThings, make } from "./make.ts";

const authorize = async (securitySchemes: JsonObject, security: JsonObject[], operation: JsonObject = {}) => {
	const document = describeThings(operation, { security, components: { securitySchemes } });
	const { auth_recipe, recipe, not_understood } = await make(document);
	return { auth: auth_recipe, recipe, notes: not_understood.map(({ message }) => message) };
};
const key = (place: string, name: string) => ({ type: "apiKey", in: place, name });
const CODE = {
	type: "oauth2",
	flows: {
		authorizationCode: {
			authorizationUrl: "https://example.com/authorize",
			tokenUrl: "https://example.com/token",
			scopes: {},
		},
	},
};
const IMPLICIT = {
	type: "oauth2",
	flows: { implicit: { authorizationUrl: "https://example.com/authorize", scopes: {} } },
};

describe("auth", () => {
	for (const [what, scheme, type, inject] of [
		["a bearer token", { type: "http", scheme: "Bearer" }, "bearer", { token: "{token}" }],
		[
			"a login",
			{ type: "http", scheme: "basic" },
			"basic",
			{ username: "{username}", password: "{password}" },
		],
		["a key in a header", key("header", "X-Key"), "header", { headers: { "x-key": "{key}" } }],
		["a key in the query", key("query", "api_key"), "query", { query: { api_key: "{key}" } }],
	] as const)
		test(`of ${what} is of the type ${type}`, async () => {
			const { auth, recipe } = await authorize({ it: scheme }, [{ it: [] }]);
			assert.deepEqual([auth?.type, auth?.inject, auth?.hosts], [type, inject, ["api.example.com"]]);
			assert.equal(recipe.auth, auth?.id);
		});

	test("of OAuth signs in, with the scopes of the chosen operations", async () => {
		const { auth } = await authorize({ it: CODE }, [{ it: ["read", "write"] }]);
		assert.equal(auth?.type, "oauth2_authorization_code");
		assert.deepEqual(auth?.inject, {
			authorize_url: "https://example.com/authorize",
			token_url: "https://example.com/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "basic",
			scope: "read write",
		});
	});

	test("of OAuth for clients gets a token by itself", async () => {
		const scheme = {
			type: "oauth2",
			flows: { clientCredentials: { tokenUrl: "https://example.com/token" } },
		};
		assert.equal((await authorize({ it: scheme }, [{ it: [] }])).auth?.type, "oauth2_client_credentials");
	});

	test("of OAuth flows that are not supported takes a token, which is noted", async () => {
		const { auth, notes } = await authorize({ it: IMPLICIT }, [{ it: [] }]);
		assert.equal(auth?.type, "bearer");
		assert.deepEqual(notes, [
			"has no OAuth flow that recipes support; the auth recipe takes a token instead",
		]);
	});

	test("of two OAuth schemes together uses the one that is supported", async () => {
		const { auth, notes } = await authorize({ a: IMPLICIT, b: CODE }, [{ a: [], b: [] }]);
		assert.deepEqual([auth?.type, notes], ["oauth2_authorization_code", []]);
	});

	test("of two keys together has both, and they are no parameters", async () => {
		const parameters = [{ name: "token", in: "query", schema: { type: "string" } }];
		const { auth, recipe } = await authorize(
			{ apiKey: key("query", "key"), apiToken: key("query", "token") },
			[{ apiKey: [], apiToken: [] }],
			{ parameters },
		);
		assert.deepEqual(auth?.inject, { query: { key: "{api_key}", token: "{api_token}" } });
		assert.deepEqual(Object.values(recipe.operations)[0]?.params.properties, {});
	});

	for (const [what, scheme, message] of [
		["a cookie", key("cookie", "session"), /keys in cookie are not supported/],
		["OpenID Connect", { type: "openIdConnect" }, /OpenID Connect is not supported/],
		["digest", { type: "http", scheme: "digest" }, /the HTTP scheme "digest" is not supported/],
		["mutual TLS", { type: "mutualTLS" }, /"mutualTLS", which is not supported/],
		["a scheme of another file", { $ref: "other.yaml#/a" }, /outside of this description/],
	] as const)
		test(`of ${what} is noted, and not guessed`, async () => {
			const { auth, recipe, notes } = await authorize({ it: scheme }, [{ it: [] }]);
			assert.deepEqual([auth, recipe.auth], [null, null]);
			assert.match(notes.join("\n"), message);
		});

	test("of several ways uses one that is supported", async () => {
		const schemes = { a: { type: "openIdConnect" }, b: { type: "http", scheme: "bearer" } };
		assert.equal((await authorize(schemes, [{ a: [] }, { b: [] }])).auth?.type, "bearer");
	});

	test("is not needed by an operation that says so", async () => {
		const schemes = { it: { type: "http", scheme: "bearer" } };
		assert.equal((await authorize(schemes, [{ it: [] }], { security: [] })).auth, null);
	});

	test("is null, with a note, if schemes are described and none is used", async () => {
		const document = describeThings({}, { components: { securitySchemes: { it: CODE } } });
		const { recipe, not_understood } = await make(document);
		assert.equal(recipe.auth, null);
		assert.match(not_understood[0]?.message ?? "", /the recipe has no auth/);
	});

	test("never sends a token to an address without https", async () => {
		const flows = { clientCredentials: { tokenUrl: "http://example.com/token" } };
		const { auth } = await authorize({ it: { type: "oauth2", flows } }, [{ it: [] }]);
		assert.equal(auth?.type, "bearer");
	});
});
