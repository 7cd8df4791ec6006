import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Json } from "@tripline/contract/json";
import { WriteApiRecipe, WriteAuthRecipe } from "@tripline/contract/recipes";
import { nodeSettings } from "@tripline/contract/workflows";
import { findAuthRecipeProblems } from "../../src/auth/recipe-problems.ts";
import { isWithin } from "../../src/outbound/hosts.ts";
import { findApiRecipeProblems } from "../../src/recipes/problems.ts";
import { apiRecipes, authRecipes } from "../../src/seeds/seeds.ts";
import { openDouble } from "./double.ts";
import { createOutboundWith, runOperation } from "./run-recipe.ts";

const findAuthRecipes = ({ auth }: WriteApiRecipe) => {
	const found = listAuthIds(auth).map((id) => authRecipes.find((recipe) => recipe.id === id));
	return found.map((recipe) => recipe ?? assert.fail("the auth recipe is not bundled"));
};

test("ids of bundled recipes differ", () => {
	for (const recipes of [apiRecipes, authRecipes])
		assert.equal(new Set(recipes.map(({ id }) => id)).size, recipes.length);
});

for (const recipe of apiRecipes) {
	test(`the API recipe ${recipe.id} is valid for tenants`, () => {
		const { id: _, ...written } = recipe;
		assert.deepEqual(WriteApiRecipe.parse(written), written);
		assert.deepEqual(findApiRecipeProblems(recipe, findAuthRecipes(recipe)), []);
		assert.notEqual(recipe.category, undefined);
	});

	test(`the API recipe ${recipe.id} calls only hosts of its credential`, () => {
		const base = recipe.base_url.replaceAll(/\{\{credential\.(\w+)\}\}/g, "{$1}");
		const [, host = ""] =
			/^https:\/\/([^/]+)/.exec(base.replace("{instance}", "acme.my.salesforce.com")) ?? [];
		for (const { hosts } of findAuthRecipes(recipe))
			assert.ok(hosts.includes(host) || isWithin(new URL(`https://${host}`), hosts));
	});

	test(`the API recipe ${recipe.id} describes every parameter and has examples`, () => {
		for (const [name, { params, examples = [] }] of Object.entries(recipe.operations)) {
			assert.ok(examples.length > 0, `${name} has no example`);
			for (const [parameter, schema] of Object.entries(
				params.properties as Record<string, { description?: Json }>,
			)) {
				assert.ok(typeof schema.description === "string", `${name}.${parameter} has no description`);
				assert.ok(!Object.hasOwn(nodeSettings, parameter), `${name}.${parameter} is a node's setting`);
			}
		}
	});
}

for (const recipe of authRecipes) {
	test(`the auth recipe ${recipe.id} is valid for tenants`, () => {
		const { id: _, ...written } = recipe;
		assert.deepEqual(WriteAuthRecipe.parse(written), written);
		assert.deepEqual(findAuthRecipeProblems(written), []);
	});
}

describe("a service that reports a failure with status 200 fails the node", () => {
	const failures = [
		{
			component: "slack.add_reaction",
			authRecipe: "slack_bot",
			fields: { token: "test-slack-token" },
			params: { channel: "C1", ts: "1.2", name: "nope" },
			answer: { ok: false, error: "invalid_name" },
			error: "call: Slack: invalid_name",
		},
		{
			component: "linear.update_issue",
			authRecipe: "linear_key",
			fields: { key: "test-linear-key" },
			params: { issue_id: "ENG-1", title: "x" },
			answer: { errors: [{ message: "Entity not found: Issue" }], data: null },
			error: "call: Linear: Entity not found: Issue",
		},
		{
			component: "shopify.add_tags",
			authRecipe: "shopify_token",
			fields: { shop: "acme", token: "shpat_test" },
			params: { id: "gid://shopify/Order/1", tags: ["x"] },
			answer: { errors: [{ message: "Access denied for tagsAdd field" }] },
			error: "call: Shopify: Access denied for tagsAdd field",
		},
		{
			component: "shopify.update_order",
			authRecipe: "shopify_token",
			fields: { shop: "acme", token: "shpat_test" },
			params: { id: "gid://shopify/Order/1", note: "x" },
			answer: { data: { orderUpdate: { order: null, userErrors: [{ message: "Order does not exist" }] } } },
			error: "call: Shopify: Order does not exist",
		},
	];
	for (const { component, authRecipe, fields, params, answer, error } of failures) {
		test(component, async () => {
			const double = await openDouble();
			try {
				double.answer({ status: 200, headers: {}, body: JSON.stringify(answer) });
				const http = createOutboundWith(double.send, authRecipe, fields);
				assert.deepEqual(await runOperation(component, params, http), { error });
			} finally {
				await double.close();
			}
		});
	}
});

describe("a bundled generic auth recipe puts the credential into the request", () => {
	const host = "api.example.com";
	const cases = [
		{
			id: "bearer_token",
			fields: { host, token: "test-token" },
			url: "https://api.example.com/items?a=1",
			headers: { authorization: "Bearer test-token" },
		},
		{
			id: "basic_auth",
			fields: { host, username: "ada", password: "päss:word" },
			url: "https://api.example.com/items?a=1",
			headers: { authorization: "Basic YWRhOnDDpHNzOndvcmQ=" },
		},
		{
			id: "api_key_header",
			fields: { host, key: "test-key" },
			url: "https://api.example.com/items?a=1",
			headers: { "x-api-key": "test-key" },
		},
		{
			id: "api_key_query",
			fields: { host, key: "test key" },
			url: "https://api.example.com/items?a=1&api_key=test%20key",
			headers: {},
		},
	];
	for (const { id, fields, url, headers } of cases) {
		test(id, async () => {
			const double = await openDouble();
			try {
				double.answer({ status: 200, headers: {}, body: "{}" });
				const http = createOutboundWith(double.send, id, fields);
				const call = { method: "GET", url: "https://api.example.com/items?a=1", credential: "mine" };
				await http(call, new AbortController().signal);
				assert.deepEqual(double.seen, [
					{ method: "GET", url, headers: { accept: "*/*", "user-agent": "Tripline", ...headers }, body: "" },
				]);
			} finally {
				await double.close();
			}
		});
	}

	test("oauth2_client_credentials", async () => {
		const double = await openDouble();
		try {
			double.answer({ status: 200, headers: {}, body: '{"access_token":"test-access","expires_in":60}' });
			const http = createOutboundWith(double.send, "oauth2_client_credentials", {
				host,
				token_url: "https://auth.example.com/oauth/token",
				client_id: "client",
				client_secret: "test-client-secret",
				scope: "read write",
			});
			const call = { method: "GET", url: "https://api.example.com/items", credential: "mine" };
			await http(call, new AbortController().signal);
			const [asked, called] = double.seen;
			assert.equal(asked?.url, "https://auth.example.com/oauth/token");
			assert.equal(asked?.headers.authorization, "Basic Y2xpZW50OnRlc3QtY2xpZW50LXNlY3JldA==");
			assert.equal(asked?.body, "grant_type=client_credentials&scope=read+write");
			assert.equal(called?.url, "https://api.example.com/items");
			assert.equal(called?.headers.authorization, "Bearer test-access");
		} finally {
			await double.close();
		}
	});
});
