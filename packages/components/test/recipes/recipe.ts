import type { ApiOperation, ApiRecipe } from "@tripline/contract/recipes";

const operation: ApiOperation = {
	title: "Get a thing",
	method: "GET",
	path: "/things/{id}",
	params: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
	output: { schema: {} },
};

/** A recipe with one operation, `do`. */
export const recipeWith = (
	changed: Partial<ApiOperation> = {},
	recipe: Partial<ApiRecipe> = {},
): ApiRecipe => ({
	id: "shop",
	title: "Shop",
	description: "Things to buy.",
	auth: null,
	base_url: "https://api.example.com/v1",
	operations: { do: { ...operation, ...changed } },
	...recipe,
});

/** Optional parameters of these types. */
export const optional = (types: Record<string, string>): ApiOperation["params"] => ({
	type: "object",
	properties: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
});
