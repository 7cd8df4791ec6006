import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
	type ApiOperation,
	type ApiRecipe,
	type AuthRecipe,
	WriteApiRecipe,
} from "@tripline/contract/recipes";
import { createRecipeComponents } from "../../src/recipes/component.ts";
import { findApiRecipeProblems } from "../../src/recipes/problems.ts";
import { optional, recipeWith } from "./recipe.ts";
import { runComponent } from "./run-component.ts";

const listProblems = (recipe: ApiRecipe, auth?: AuthRecipe): string[] =>
	findApiRecipeProblems(recipe, auth === undefined ? [] : [auth]).map(
		({ path, message }) => `${path}: ${message}`,
	);

const auth: AuthRecipe = {
	id: "shop_key",
	title: "Shop key",
	type: "bearer",
	fields: [
		{ name: "host", secret: false, help: "" },
		{ name: "token", secret: true, help: "" },
	],
	hosts: ["{host}"],
	inject: { token: "{token}" },
};

describe("the problems of an API recipe", () => {
	test("is empty for a valid one", () => {
		assert.deepEqual(listProblems(recipeWith()), []);
		const operation = { method: "POST", headers: { "x-a": "{{credential.host}}" } } as const;
		const recipe = recipeWith(operation, { auth: "shop_key", base_url: "https://{{credential.host}}" });
		assert.deepEqual(listProblems(recipe, auth), []);
		for (const base_url of [
			"http://127.0.0.1:8080",
			"http://[::1]/a",
			"http://localhost",
			"https://a.example/b/",
		])
			assert.deepEqual(listProblems(recipeWith({}, { base_url })), [], base_url);
	});

	const badUrls = [
		"http://api.example.com",
		"ftp://api.example.com",
		"https://user:pass@api.example.com",
		"https://api.example.com?a=1",
		"https://api.example.com#a",
		"https://api.example.com/a/../b",
		"https://api.example.com\\@evil.example",
		"https://{host}/",
		"https://{{params.id}}.example.com",
		"https://{{input.host}}",
		"https://",
		"api.example.com",
		"https://api example.com",
		"javascript:alert(1)",
	];
	for (const base_url of badUrls) {
		test(`name the base URL ${base_url}`, () => {
			const found = listProblems(recipeWith({}, { base_url }));
			assert.ok(found.length > 0 && found.every((problem) => problem.startsWith("base_url: ")), found.join());
		});
	}

	const wrong: [string, Partial<ApiOperation>, RegExp][] = [
		["a path without a slash", { path: "things" }, /^operations\.do\.path: must start with \//],
		["a path with a query", { path: "/a?b=1" }, /path: contains characters/],
		["a path with dots", { path: "/a/../b" }, /path: must not contain \. or \.\./],
		["a path with encoded dots", { path: "/a/%2e%2e/b" }, /path: contains characters/],
		["a path with a template", { path: "/a/{{params.id}}" }, /path: takes parameters as \{name\}/],
		["a path with half a brace", { path: "/a/{id" }, /path: contains characters/],
		[
			"an unknown parameter in the path",
			{ path: "/a/{other}" },
			/path: uses "other", which is not a parameter/,
		],
		[
			"an inherited name in the path",
			{ path: "/a/{constructor}" },
			/uses "constructor", which is not a parameter/,
		],
		[
			"a parameter in the path that may be missing",
			{ params: optional({ id: "string" }) },
			/path: uses "id", which must be required/,
		],
		[
			"an object in the path",
			{ params: { type: "object", properties: { id: { type: "object" } }, required: ["id"] } },
			/path: uses "id", which must be text or a number/,
		],
		[
			"an unknown parameter in a template",
			{ query: { a: "{{params.idd}}" } },
			/query\.a: .*no parameter "idd"\. Did you mean "id"\?/,
		],
		[
			"an unknown parameter in a default",
			{ query: { a: "{{params.id | default(params.idd)}}" } },
			/query\.a: .*no parameter "idd"\. Did you mean "id"\?/,
		],
		[
			"another root in a template",
			{ headers: { "x-a": "{{input.a}}" } },
			/headers\.x-a: "input" cannot be read here/,
		],
		["a node in a template", { query: { a: '{{nodes["x"]}}' } }, /query\.a: "nodes" cannot be read here/],
		["a broken template", { query: { a: "{{params.id" } }, /query\.a: .*no closing/],
		[
			"a template that reaches for the language",
			{ query: { a: "{{params.id.constructor}}" } },
			/cannot be read/,
		],
		[
			"a credential where there is none",
			{ query: { a: "{{credential.token}}" } },
			/query\.a: there is no credential/,
		],
		[
			"a parameter in the output",
			{ output: { value: "{{params.id}}", schema: {} } },
			/output\.value: "params" cannot be read/,
		],
		[
			"a credential in the output",
			{ output: { value: "{{credential.a}}", schema: {} } },
			/output\.value: a credential cannot be read here/,
		],
		[
			"an authorization header",
			{ headers: { Authorization: "x" } },
			/headers\.Authorization: cannot be set here/,
		],
		["a cookie", { headers: { cookie: "x" } }, /headers\.cookie: cannot be set/],
		["a host header", { headers: { Host: "x" } }, /headers\.Host: cannot be set/],
		["a header name with a line break", { headers: { "x\r\ny": "x" } }, /is not a valid header name/],
		["a header twice", { headers: { "x-a": "1", "X-A": "2" } }, /headers: sets a header twice/],
		["a body with GET", { body: { kind: "json", value: {} } }, /body: cannot be sent with GET/],
		[
			"a schema with a pattern",
			{
				params: {
					type: "object",
					properties: { id: { type: "string", pattern: "(a+)+$" } },
					required: ["id"],
				},
			},
			/params: must not use pattern/,
		],
		[
			"parameters that are no object",
			{ path: "", params: { type: "string" } },
			/params: must have "type": "object"/,
		],
		[
			"a parameter with a setting's name",
			{ path: "", params: optional({ credential: "string" }) },
			/params: must not define a parameter "credential"/,
		],
		[
			"an output schema that refers to itself",
			{ output: { schema: { $ref: "#" } } },
			/output\.schema: refers to itself/,
		],
		[
			"an example that does not fit",
			{ examples: [{ title: "x", params: { id: 1 } }] },
			/examples\.0\.params\.id: must be text/,
		],
	];
	for (const [name, operation, message] of wrong) {
		test(`name ${name}`, () => {
			const found = listProblems(recipeWith(operation));
			assert.ok(
				found.some((problem) => message.test(problem)),
				found.join("\n"),
			);
		});
	}

	test("reports missing and secret fields of a credential", () => {
		const recipe = recipeWith(
			{ query: { a: "{{credential.token}}", b: "{{credential.no}}" } },
			{ auth: "shop_key" },
		);
		const found = listProblems(recipe, auth);
		assert.match(found[0] ?? "", /query\.a: "token" is a secret/);
		assert.match(found[1] ?? "", /query\.b: a credential of shop_key has no field "no"/);
	});

	test("reports too many operations, none, and too much data", () => {
		const { do: one } = recipeWith().operations as { do: ApiOperation };
		const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`o${index}`, one]));
		assert.deepEqual(listProblems(recipeWith({}, { operations: many })), ["operations: must be 1 to 50"]);
		assert.deepEqual(listProblems(recipeWith({}, { operations: {} })), ["operations: must be 1 to 50"]);
		const huge = recipeWith({ method: "POST", body: { kind: "json", value: "x".repeat(300_000) } });
		assert.deepEqual(listProblems(huge), [": must be at most 256 KiB as JSON"]);
	});

	test("handles hostile names in a recipe from JSON", () => {
		const { id: _, ...written } = recipeWith();
		const text = JSON.stringify(written).replace('"headers"', '"__proto__"');
		const recipe = WriteApiRecipe.parse(JSON.parse(text.replace('"id":{', '"id":{"__proto__":{"x":1},')));
		assert.deepEqual(listProblems({ ...recipe, id: "shop" }), []);
		assert.equal(({} as { x?: number }).x, undefined);
	});
});

describe("a recipe that cannot be used", () => {
	test("fails at run time with the reason", async () => {
		const recipe = recipeWith({ query: { a: "{{nothing}}" } });
		const { error, calls } = await runComponent(createRecipeComponents(recipe), "shop.do", { id: "a" });
		assert.match(
			error ?? "",
			/^the recipe shop cannot be used: operations\.do\.query\.a "nothing" cannot be read/,
		);
		assert.deepEqual(calls, []);
	});

	test("accepts no parameters if their schema is unusable", async () => {
		const recipe = recipeWith({ path: "", params: { type: "object", properties: { a: { pattern: "x" } } } });
		const { error } = await runComponent(createRecipeComponents(recipe), "shop.do", { a: "x" });
		assert.match(error ?? "", /cannot be checked: the schema must not use pattern/);
	});
});
