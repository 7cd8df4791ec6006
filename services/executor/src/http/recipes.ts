import { authRecipeProblems } from "@tripline/components/auth/recipe-problems";
import { builtInCatalogue } from "@tripline/components/catalogue";
import { apiRecipeProblems } from "@tripline/components/recipes/problems";
import { DeletedAnswer } from "@tripline/contract/entries";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import {
	type ApiRecipe,
	ApiRecipeList,
	type AuthRecipe,
	AuthRecipeList,
	RecipeId,
	WriteApiRecipe,
	WriteAuthRecipe,
} from "@tripline/contract/recipes";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { Library } from "../library/library.ts";
import { SIGNING_SECRET } from "../library/signing-secret.ts";
import type { ExtensionStorage } from "../storage/extensions.ts";

const tag = "Recipes";
const Id = z.object({ id: RecipeId });

interface RecipeParts {
	readonly library: Library;
	readonly extensions: ExtensionStorage;
}

export function recipeRoutes({ library, extensions }: RecipeParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/recipes",
			tag,
			summary: "List API recipes, the tenant's own and the seeded ones",
			responses: { 200: { description: "All recipes", body: ApiRecipeList } },
			async handle({ caller }) {
				const [own, seeded] = await bothOf(caller);
				const recipes = merged(own.apiRecipes, seeded.apiRecipes).map(({ source, recipe }) => ({
					id: recipe.id,
					title: recipe.title,
					description: recipe.description,
					auth: recipe.auth,
					source,
					operations: Object.keys(recipe.operations),
				}));
				return reply(200, { recipes });
			},
		}),
		route({
			method: "GET",
			path: "/recipes/{id}",
			tag,
			summary: "Get an API recipe",
			params: Id,
			responses: { 200: { description: "In the form that PUT accepts", body: WriteApiRecipe } },
			async handle({ caller, params: { id } }) {
				const [own, seeded] = await bothOf(caller);
				return reply(200, found(own.apiRecipes.get(id) ?? seeded.apiRecipes.get(id)));
			},
		}),
		route({
			method: "PUT",
			path: "/recipes/{id}",
			tag,
			summary: "Create or replace one of the tenant's API recipes",
			description:
				"Each operation becomes a component, `<id>.<operation>`. The recipe shadows a seeded one with the same id.",
			params: Id,
			body: WriteApiRecipe,
			responses: {
				200: { description: "Replaced", body: WriteApiRecipe },
				201: { description: "Created", body: WriteApiRecipe },
			},
			async handle({ caller, params: { id }, body }) {
				const recipe: ApiRecipe = { ...body, id };
				const { installed } = await library.own(caller.namespace);
				const auth = (await library.catalogue(caller.namespace)).authRecipe(recipe.auth ?? "");
				check(id, body.id, [
					...(recipe.auth !== null && auth === null ? [UNKNOWN_AUTH] : []),
					...apiRecipeProblems(recipe, auth ?? undefined),
				]);
				if (builtInCatalogue.get(id) !== undefined) throw taken(`${id} is a built-in component`);
				if (installed.has(id)) throw taken(`${id} is an installed component: uninstall it first`);
				return written(caller, "api_recipe", recipe);
			},
		}),
		route({
			method: "DELETE",
			path: "/recipes/{id}",
			tag,
			summary: "Delete one of the tenant's API recipes",
			params: Id,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			handle: ({ caller, params: { id } }) => deleteRecipe(caller, "api_recipe", id),
		}),

		route({
			method: "GET",
			path: "/auth-recipes",
			tag,
			summary: "List auth recipes, which say how a credential enters a request",
			responses: { 200: { description: "All recipes", body: AuthRecipeList } },
			async handle({ caller }) {
				const auth_recipes = (await library.catalogue(caller.namespace))
					.authRecipes()
					.map(({ source, recipe }) => ({
						id: recipe.id,
						title: recipe.title,
						type: recipe.type,
						source,
						fields: recipe.fields,
						hosts: recipe.hosts,
					}));
				return reply(200, { auth_recipes });
			},
		}),
		route({
			method: "GET",
			path: "/auth-recipes/{id}",
			tag,
			summary: "Get an auth recipe",
			params: z.object({ id: z.string().max(130) }),
			responses: { 200: { description: "In the form that PUT accepts", body: WriteAuthRecipe } },
			async handle({ caller, params: { id } }) {
				return reply(200, found((await library.catalogue(caller.namespace)).authRecipe(id)));
			},
		}),
		route({
			method: "PUT",
			path: "/auth-recipes/{id}",
			tag,
			summary: "Create or replace one of the tenant's auth recipes",
			params: Id,
			body: WriteAuthRecipe,
			responses: {
				200: { description: "Replaced", body: WriteAuthRecipe },
				201: { description: "Created", body: WriteAuthRecipe },
			},
			async handle({ caller, params: { id }, body }) {
				const recipe: AuthRecipe = { ...body, id };
				check(id, body.id, authRecipeProblems(recipe));
				if (id === SIGNING_SECRET.id) throw taken(`${id} is built in`);
				return written(caller, "auth_recipe", recipe);
			},
		}),
		route({
			method: "DELETE",
			path: "/auth-recipes/{id}",
			tag,
			summary: "Delete one of the tenant's auth recipes",
			params: Id,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			handle: ({ caller, params: { id } }) => deleteRecipe(caller, "auth_recipe", id),
		}),
	];

	function bothOf({ namespace }: Caller) {
		return Promise.all([library.own(namespace), library.seeded()]);
	}

	async function written({ namespace }: Caller, type: RecipeType, recipe: ApiRecipe | AuthRecipe) {
		const { id, ...stored } = recipe;
		const created = await extensions.put(namespace, type, id, stored);
		library.forget(namespace);
		return reply(created ? 201 : 200, recipe);
	}

	async function deleteRecipe({ namespace }: Caller, type: RecipeType, id: string) {
		const wasThere = await extensions.delete(namespace, type, id);
		library.forget(namespace);
		if (!wasThere) throw notFound("recipe not found");
		return reply(200, { deleted: true });
	}
}

type RecipeType = "api_recipe" | "auth_recipe";
type Recipes = ReadonlyMap<string, ApiRecipe>;

/** Sorted by id; the tenant's own recipes replace seeded ones. */
function merged(own: Recipes, seeded: Recipes) {
	const all = [
		...[...own.values()].map((recipe) => ({ source: "own" as const, recipe })),
		...[...seeded.values()]
			.filter(({ id }) => !own.has(id))
			.map((recipe) => ({ source: "seeded" as const, recipe })),
	];
	return all.sort((a, b) => (a.recipe.id < b.recipe.id ? -1 : 1));
}

function found<Recipe>(recipe: Recipe | null | undefined): Recipe {
	if (recipe === null || recipe === undefined) throw notFound("recipe not found");
	return recipe;
}

function check(
	id: string,
	given: string | undefined,
	problems: readonly { path: string; message: string }[],
) {
	if (given !== undefined && given !== id)
		throw invalid([{ path: "id", message: "must match the id in the path" }]);
	if (problems.length > 0) throw invalid(problems);
}

const UNKNOWN_AUTH = { path: "auth", message: "is unknown; GET /auth-recipes lists the known ones" };

const taken = (message: string): Failed => new Failed({ kind: "conflict", message });
