import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthRecipe } from "../../src/api/types.ts";
import { findRecipes, isLong, listHosts, suggestName, toLabel } from "../../src/pages/credentials/recipe.ts";

const recipe = (id: string, title: string, hosts: string[] = []): AuthRecipe => ({
	id,
	title,
	type: "bearer",
	source: "seeded",
	fields: [{ name: "token", secret: true, help: "" }],
	hosts,
});
const GITHUB = recipe("github_token", "GitHub token", ["api.github.com"]);
const BEARER = recipe("bearer_token", "Bearer token", ["{host}"]);

test("finds a type by words of its title, ID and hosts in any order", () => {
	assert.deepEqual(findRecipes([GITHUB, BEARER], "token api.git"), [GITHUB]);
	assert.deepEqual(findRecipes([GITHUB, BEARER], "BEARER_"), [BEARER]);
	assert.deepEqual(findRecipes([GITHUB, BEARER], " "), [GITHUB, BEARER]);
});

test("describes a host that is entered with the credential", () => {
	assert.deepEqual(listHosts(BEARER, "yours"), ["yours"]);
	assert.deepEqual(listHosts(GITHUB, "yours"), ["api.github.com"]);
	assert.deepEqual(listHosts(undefined, "yours"), []);
});

test("suggests a free name", () => {
	assert.equal(suggestName(GITHUB, []), "github");
	assert.equal(suggestName(GITHUB, ["github", "github_2"]), "github_3");
});

test("uses a multi-line field for multi-line keys", () => {
	assert.equal(isLong({ name: "private_key", secret: true, help: "" }), true);
	assert.equal(isLong({ name: "pasted", secret: true, help: "with its BEGIN and END lines" }), true);
	assert.equal(isLong({ name: "token", secret: true, help: "Begin with the console" }), false);
});

test("shows a field name as words", () => {
	assert.equal(toLabel("api_token"), "Api token");
});
