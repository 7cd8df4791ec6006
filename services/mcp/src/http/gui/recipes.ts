import { DeletedAnswer } from "@tripline/contract/entries";
import { DescribedOperations, ImportDescription, ImportedRecipe } from "@tripline/contract/openapi";
import { ApiRecipeList, RecipeId, WriteApiRecipe } from "@tripline/contract/recipes";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import {
	createNotFound,
	type GuiCall,
	type GuiParts,
	getExecutor,
	readLength,
	requireFound,
	TAG as tag,
} from "./parts.ts";

const RECIPE = "recipe";
const OneRecipe = z.object({ id: RecipeId });

export const recipeRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/recipes",
		tag,
		summary: "API recipes: the tenant's own and the seeded ones",
		responses: { 200: { description: "By id", body: ApiRecipeList } },
		async handle(call: GuiCall) {
			return reply(200, await getExecutor(parts, call).recipes.list());
		},
	}),

	route({
		method: "GET",
		path: "/gui/recipes/{id}",
		tag,
		summary: "An API recipe with its operations",
		params: OneRecipe,
		responses: { 200: { description: "In the form that PUT accepts", body: WriteApiRecipe } },
		async handle(call) {
			return reply(200, requireFound(await getExecutor(parts, call).recipes.get(call.params.id), RECIPE));
		},
	}),

	route({
		method: "PUT",
		path: "/gui/recipes/{id}",
		tag,
		summary: "Create or replace one of the tenant's API recipes",
		params: OneRecipe,
		body: WriteApiRecipe,
		responses: { 200: { description: "Stored", body: WriteApiRecipe } },
		async handle(call) {
			return reply(200, await getExecutor(parts, call).recipes.put(call.params.id, call.body));
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/recipes/{id}",
		tag,
		summary: "Delete one of the tenant's API recipes",
		params: OneRecipe,
		responses: { 200: { description: "Deleted", body: DeletedAnswer } },
		async handle(call) {
			if (!(await getExecutor(parts, call).recipes.delete(call.params.id))) throw createNotFound(RECIPE);
			return reply(200, { deleted: true });
		},
	}),

	route({
		method: "POST",
		path: "/gui/recipes/from-openapi",
		tag,
		summary: "List the operations of an OpenAPI description, or make a recipe of some of them",
		description: "Passed on as it arrives; the executor checks its size.",
		accepts: { "application/json": ImportDescription },
		responses: {
			200: {
				description: "The operations, or the recipe",
				body: z.union([DescribedOperations, ImportedRecipe]),
			},
		},
		async handle(call) {
			const { request } = call;
			const text = await getExecutor(parts, call).recipes.passDescription(
				request.stream(Number.POSITIVE_INFINITY),
				readLength(request),
			);
			return { status: 200, text, headers: { "content-type": "application/json; charset=utf-8" } };
		},
	}),
];
