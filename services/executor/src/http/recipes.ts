import { isSignInRecipe } from "@tripline/components/auth/authorization-code";
import { findAuthRecipeProblems } from "@tripline/components/auth/recipe-problems";
import { builtInCatalogue } from "@tripline/components/catalogue";
import { findApiRecipeProblems } from "@tripline/components/recipes/problems";
import { listAuthIds } from "@tripline/contract/auth-ids";
import { DeletedAnswer } from "@tripline/contract/entries";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import { DescribedOperations, ImportDescription, ImportedRecipe } from "@tripline/contract/openapi";
import {
	type ApiRecipe,
	ApiRecipeList,
	type AuthRecipe,
	AuthRecipeList,
	RecipeId,
	WriteApiRecipe,
	WriteAuthRecipe,
} from "@tripline/contract/recipes";
import { readBody } from "@tripline/web/body";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { DescriptionImports } from "../catalogue/import-description.ts";
import { SIGNING_SECRET } from "../catalogue/signing-secret.ts";
import type { Caller } from "../domain/callers.ts";
import type { ExecutorSettings } from "../settings.ts";
import { buildRedirectUrl } from "../sign-in/base-url.ts";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";

const tag = "Recipes";
const Id = z.object({ id: RecipeId });

interface RecipeParts {
	readonly catalogues: Catalogues;
	readonly ownedComponents: OwnedComponentStorage;
	readonly descriptions: DescriptionImports;
	readonly settings: Pick<ExecutorSettings, "multiTenant">;
	/** The service's public address for sign-ins; null if it is not known. */
	findSignInUrl(): string | null;
}

export function recipeRoutes({
	catalogues,
	ownedComponents,
	descriptions,
	settings,
	findSignInUrl,
}: RecipeParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/recipes",
			tag,
			summary: "List API recipes, the tenant's own and the seeded ones",
			responses: { 200: { description: "All recipes", body: ApiRecipeList } },
			async handle({ caller }) {
				const [own, seeded] = await readBoth(caller);
				const recipes = mergeRecipes(own.apiRecipes, seeded.apiRecipes).map(({ source, recipe }) => ({
					id: recipe.id,
					title: recipe.title,
					description: recipe.description,
					category: recipe.category ?? null,
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
				const [own, seeded] = await readBoth(caller);
				return reply(200, assertFound(own.apiRecipes.get(id) ?? seeded.apiRecipes.get(id)));
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
				const { installed } = await catalogues.own(caller.namespace);
				const catalogue = await catalogues.catalogue(caller.namespace);
				const auths = listAuthIds(recipe.auth).map((one) => catalogue.findAuthRecipe(one));
				const known = auths.filter((one) => one !== null);
				checkRecipe(id, body.id, [
					...(known.length < auths.length ? [UNKNOWN_AUTH] : []),
					...findApiRecipeProblems(recipe, known),
				]);
				if (builtInCatalogue.get(id) !== undefined) throw toConflict(`${id} is a built-in component`);
				if (installed.has(id)) throw toConflict(`${id} is an installed component: uninstall it first`);
				return writeRecipe(caller, "api_recipe", recipe);
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
			method: "POST",
			path: "/recipes/from-openapi",
			tag,
			summary: "List the operations of an OpenAPI description, or make a recipe of some of them",
			description:
				"Without `operations`, lists them. With it, returns a recipe, how its requests are authorized, and what was not understood; `save` also stores them.",
			accepts: { "application/json": ImportDescription },
			responses: {
				200: {
					description: "The operations, or the recipe",
					body: z.union([DescribedOperations, ImportedRecipe]),
				},
				413: { description: "The description is too large" },
			},
			async handle({ caller, request }) {
				const body = await readBody(request, descriptions.maxBytes).catch((error: unknown) => {
					throw error instanceof Failed && error.failure.kind === "too_large"
						? descriptions.tooLarge()
						: error;
				});
				const imported = await descriptions.run(caller.namespace, body);
				if (typeof imported !== "string") return reply(200, imported);
				return {
					status: 200,
					text: imported,
					headers: { "content-type": "application/json; charset=utf-8" },
				};
			},
		}),

		route({
			method: "GET",
			path: "/auth-recipes",
			tag,
			summary: "List auth recipes, which say how a credential enters a request",
			responses: { 200: { description: "All recipes", body: AuthRecipeList } },
			async handle({ caller }) {
				const base = findSignInUrl();
				const sharing = settings.multiTenant ? caller.namespace : null;
				const auth_recipes = (await catalogues.catalogue(caller.namespace))
					.listAuthRecipes()
					.map(({ source, recipe }) => ({
						id: recipe.id,
						title: recipe.title,
						type: recipe.type,
						source,
						fields: recipe.fields,
						hosts: recipe.hosts,
						...(base !== null &&
							isSignInRecipe(recipe) && {
								redirect_url: buildRedirectUrl(base, recipe.id, source === "own" ? sharing : null),
							}),
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
				return reply(200, assertFound((await catalogues.catalogue(caller.namespace)).findAuthRecipe(id)));
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
				checkRecipe(id, body.id, findAuthRecipeProblems(recipe));
				if (id === SIGNING_SECRET.id) throw toConflict(`${id} is built in`);
				return writeRecipe(caller, "auth_recipe", recipe);
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

	function readBoth({ namespace }: Caller) {
		return Promise.all([catalogues.own(namespace), catalogues.readSeeded()]);
	}

	async function writeRecipe({ namespace }: Caller, type: RecipeType, recipe: ApiRecipe | AuthRecipe) {
		const { id, ...stored } = recipe;
		const created = await ownedComponents.put(namespace, type, id, stored);
		catalogues.forget(namespace);
		return reply(created ? 201 : 200, recipe);
	}

	async function deleteRecipe({ namespace }: Caller, type: RecipeType, id: string) {
		const wasThere = await ownedComponents.delete(namespace, type, id);
		catalogues.forget(namespace);
		if (!wasThere) throw notFound("recipe not found");
		return reply(200, { deleted: true });
	}
}

type RecipeType = "api_recipe" | "auth_recipe";
type Recipes = ReadonlyMap<string, ApiRecipe>;

/** Sorted by id; the tenant's own recipes replace seeded ones. */
function mergeRecipes(own: Recipes, seeded: Recipes) {
	const all = [
		...[...own.values()].map((recipe) => ({ source: "own" as const, recipe })),
		...[...seeded.values()]
			.filter(({ id }) => !own.has(id))
			.map((recipe) => ({ source: "seeded" as const, recipe })),
	];
	return all.sort((a, b) => (a.recipe.id < b.recipe.id ? -1 : 1));
}

function assertFound<Recipe>(recipe: Recipe | null | undefined): Recipe {
	if (recipe === null || recipe === undefined) throw notFound("recipe not found");
	return recipe;
}

function checkRecipe(
	id: string,
	given: string | undefined,
	problems: readonly { path: string; message: string }[],
) {
	if (given !== undefined && given !== id)
		throw invalid([{ path: "id", message: "must match the id in the path" }]);
	if (problems.length > 0) throw invalid(problems);
}

const UNKNOWN_AUTH = { path: "auth", message: "is unknown; GET /auth-recipes lists the known ones" };

const toConflict = (message: string): Failed => new Failed({ kind: "conflict", message });
