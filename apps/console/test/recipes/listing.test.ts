import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RecipeItem } from "../../src/api/types.ts";
import { filterRecipes, listGroups } from "../../src/pages/recipes/listing.ts";

const item = (id: string, more: Partial<RecipeItem> = {}): RecipeItem => ({
	id,
	title: id,
	description: "",
	category: null,
	auth: null,
	source: "seeded",
	operations: [],
	...more,
});
const RECIPES = [
	item("gmail", { category: "email", operations: ["send_message"] }),
	item("slack", { category: "messaging", operations: ["post_message"] }),
	item("mine", { source: "own" }),
];
const find = (q: string, group: Parameters<typeof filterRecipes>[1]["group"]) =>
	filterRecipes(RECIPES, { q, group }).map(({ id }) => id);

describe("the list of recipes", () => {
	it("offers only groups with recipes", () => {
		assert.deepEqual(listGroups(RECIPES), ["all", "own", "email", "messaging"]);
		assert.deepEqual(listGroups([item("a")]), ["all"]);
	});

	it("is filtered by words and group", () => {
		assert.deepEqual(find("MESSAGE", "all"), ["gmail", "slack"]);
		assert.deepEqual(find("message post", "all"), ["slack"]);
		assert.deepEqual(find("message", "email"), ["gmail"]);
		assert.deepEqual(find("", "own"), ["mine"]);
	});
});
