import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { WriteAuthRecipe } from "@tripline/contract/recipes";
import { Manifest } from "@tripline/contract/registry";
import { findManifestProblems } from "../../src/installed/problems.ts";
import { type CodeManifest, codeWith, type RecipeManifest, recipeManifestWith } from "./manifest.ts";

const listProblems = (manifest: Manifest): string[] =>
	findManifestProblems(Manifest.parse(manifest)).map(({ path, message }) => `${path}: ${message}`);

const key = (hosts: string[]): WriteAuthRecipe => ({
	title: "Key",
	type: "bearer",
	fields: [{ name: "token", secret: true, help: "" }],
	hosts,
	inject: { token: "{token}" },
});
const recipe = (changed: Partial<RecipeManifest["recipe"]>) => ({
	...recipeManifestWith().recipe,
	...changed,
});

describe("the problems of a manifest", () => {
	test("is empty for a valid one", () => {
		assert.deepEqual(listProblems(codeWith()), []);
		assert.deepEqual(listProblems(recipeManifestWith()), []);
		const online = {
			hosts: ["*.example.com"],
			credentials: ["key"],
			auth_recipes: { key: key(["*.example.com"]) },
		};
		assert.deepEqual(listProblems(codeWith(online)), []);
		assert.deepEqual(listProblems(recipeManifestWith({ ...online, recipe: recipe({ auth: "key" }) })), []);
	});

	test("are those of a recipe's pages too", () => {
		const withPaginate = (items: string) => {
			const { operations } = recipeManifestWith().recipe;
			const [name = "", operation] = Object.entries(operations)[0] ?? [];
			const paged = { ...operation, paginate: { by: "link", items } } as (typeof operations)[string];
			return listProblems(recipeManifestWith({ recipe: recipe({ operations: { [name]: paged } }) }));
		};
		assert.deepEqual(withPaginate("data.items"), []);
		assert.match(withPaginate("a b").join(), /^recipe\.operations\.do\.paginate\.items: must be a path/);
	});

	const ofCode: [string, Partial<CodeManifest>, RegExp][] = [
		["a host that is too wide", { hosts: ["*.com"] }, /^hosts\.0: is too wide/],
		["a host that is too wide with a port", { hosts: ["*.com:8080"] }, /^hosts\.0: is too wide/],
		["a host twice", { hosts: ["a.example", "a.example"] }, /^hosts\.1: is listed twice/],
		["a host of a credential without one", { hosts: ["{host}"] }, /^hosts\.0: refers to a field/],
		["credentials without hosts", { credentials: ["key"] }, /^credentials: have no use/],
		[
			"an auth recipe that is not declared",
			{ hosts: ["a.example"], auth_recipes: { key: key(["a.example"]) } },
			/^auth_recipes\.key: is not listed/,
		],
		[
			"an auth recipe for other hosts",
			{ hosts: ["a.example"], credentials: ["key"], auth_recipes: { key: key(["evil.example"]) } },
			/^auth_recipes\.key\.hosts: evil\.example is not one of/,
		],
		[
			"a broken auth recipe",
			{
				hosts: ["a.example"],
				credentials: ["key"],
				auth_recipes: { key: { ...key(["a.example"]), inject: { token: "{nothing}" } } as WriteAuthRecipe },
			},
			/^auth_recipes\.key\./,
		],
		[
			"a pattern that can hang",
			{ params: { type: "object", properties: { name: { type: "string", pattern: "(a+)+$" } } } },
			/^params: must not use pattern/,
		],
		["an output schema that cannot be used", { output: { type: "banana" } }, /^output: type must be/],
		[
			"an example that does not fit",
			{ examples: [{ title: "x", params: {}, output: "x" }] },
			/^examples\.0\.params\.name: is required/,
		],
		[
			"an example without an end",
			{ examples: [{ title: "x", params: { name: "a" } }] },
			/^examples\.0: must have either output or error/,
		],
		[
			"an example with two ends",
			{ examples: [{ title: "x", params: { name: "a" }, output: "x", error: "y" }] },
			/^examples\.0: must have either/,
		],
		[
			"an example with an impossible output",
			{ examples: [{ title: "x", params: { name: "a" }, output: 5 }] },
			/^examples\.0: has an output/,
		],
		[
			"a recorded call to another host",
			{
				hosts: ["a.example"],
				examples: [
					{
						title: "x",
						params: { name: "a" },
						output: "x",
						http: [
							{ request: { method: "GET", url: "https://b.example/" }, response: { status: 200, data: 1 } },
						],
					},
				],
			},
			/^examples\.0: calls "https:\/\/b\.example\/", which is not in hosts/,
		],
		["text that cannot be stored", { description: "a\u0000b" }, /NUL/],
		["half a character", { code: "\ud800" }, /lone surrogates/],
		[
			"too much",
			{ examples: [{ title: "x", params: { name: "x".repeat(300_000) }, output: "x" }] },
			/^: must be at most 256 KiB/,
		],
	];
	for (const [name, changed, message] of ofCode) {
		test(`name ${name}`, () => assert.match(listProblems(codeWith(changed)).join("\n"), message));
	}

	const ofRecipe: [string, Partial<RecipeManifest>, RegExp][] = [
		["a recipe without hosts", { hosts: [] }, /hosts: must include the recipe's host/],
		[
			"a recipe at another host",
			{ recipe: recipe({ base_url: "https://evil.example" }) },
			/recipe\.base_url: is at a host that is not in hosts/,
		],
		[
			"a recipe at another port",
			{ recipe: recipe({ base_url: "https://api.example.com:444" }) },
			/recipe\.base_url: is at a host/,
		],
		[
			"a host that a credential says, undeclared",
			{ credentials: ["key"], recipe: recipe({ auth: "key", base_url: "https://{{credential.host}}" }) },
			/recipe\.base_url: is at a host/,
		],
		[
			"a credential that is not declared",
			{ recipe: recipe({ auth: "key" }) },
			/credentials: must be \["key"\]/,
		],
		["a credential that is not used", { credentials: ["key"] }, /credentials: must be empty/],
		["another id in the recipe", { recipe: recipe({ id: "other" }) }, /recipe\.id: must be "greeter"/],
		[
			"what is wrong with the recipe",
			{ recipe: recipe({ operations: {} }) },
			/recipe\.operations: must be 1 to 50/,
		],
		[
			"a secret that the recipe reads",
			{
				credentials: ["key"],
				auth_recipes: { key: key(["api.example.com"]) },
				recipe: recipe({ auth: "key", base_url: "https://api.example.com/{{credential.token}}" }),
			},
			/recipe\.base_url: "token" is a secret/,
		],
	];
	for (const [name, changed, message] of ofRecipe) {
		test(`name ${name}`, () => assert.match(listProblems(recipeManifestWith(changed)).join("\n"), message));
	}

	test("the schema rejects a host that matches everything", () => {
		assert.equal(Manifest.safeParse(codeWith({ hosts: ["*"] })).success, false);
	});
});
