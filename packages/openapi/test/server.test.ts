import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeThings, make } from "./make.ts";

const BEARER = {
	security: [{ it: [] }],
	components: { securitySchemes: { it: { type: "http", scheme: "bearer" } } },
};
const at = async (servers: JsonObject[], options = {}, more: JsonObject = BEARER) => {
	const { recipe, auth_recipe } = await make(describeThings({}, { servers, ...more }), options);
	return {
		url: recipe.base_url,
		hosts: auth_recipe?.hosts,
		fields: auth_recipe?.fields.map(({ name }) => name),
	};
};

describe("a server", () => {
	test("is the base address of the recipe, and the host of its credentials", async () =>
		assert.deepEqual(await at([{ url: "https://API.example.com:8443/v1/" }]), {
			url: "https://api.example.com:8443/v1",
			hosts: ["api.example.com:8443"],
			fields: ["token"],
		}));

	test("with https goes before one without", async () => {
		const servers = [{ url: "http://a.example.com" }, { url: "https://b.example.com" }];
		assert.equal((await at(servers)).url, "https://b.example.com");
	});

	test("without https is called with it", async () =>
		assert.equal((await at([{ url: "http://a.example.com" }])).url, "https://a.example.com"));

	test("with a variable as a label of its host takes it from the credential", async () => {
		const variables = { shop: { default: "demo" }, version: { default: "v2" } };
		assert.deepEqual(await at([{ url: "https://{shop}.example.com/{version}", variables }]), {
			url: "https://{{credential.shop}}.example.com/v2",
			hosts: ["{shop}.example.com"],
			fields: ["shop", "token"],
		});
	});

	test("with a variable and no auth has its default", async () => {
		const servers = [{ url: "https://{shop}.example.com", variables: { shop: { default: "demo" } } }];
		assert.equal((await at(servers, {}, {})).url, "https://demo.example.com");
	});

	test("may be chosen, or be another address", async () => {
		const servers = [{ url: "https://a.example.com" }, { url: "https://b.example.com" }];
		assert.equal((await at(servers, { server: "https://b.example.com" })).url, "https://b.example.com");
		assert.equal((await at(servers, { server: "https://c.example.com/x" })).url, "https://c.example.com/x");
		await assert.rejects(at(servers, { server: "ftp://c" }), /must be an address that starts with https/);
	});

	test("that is relative starts where the description was read from", async () => {
		const location = "https://docs.example.com/openapi.json";
		assert.equal((await at([{ url: "/v1" }], { location })).url, "https://docs.example.com/v1");
		assert.equal((await at([], { location })).url, "https://docs.example.com");
		await assert.rejects(at([{ url: "/v1" }]), /does not say where the service is: set server/);
	});

	for (const url of [
		"https://user:pass@example.com",
		"https://",
		"https://exa mple.com",
		`https://${"a".repeat(600)}`,
	])
		test(`${url.slice(0, 40)} is refused`, () => assert.rejects(at([{ url }])));
});
