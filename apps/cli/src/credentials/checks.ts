import type { TenantExecutor } from "@tripline/executor/client";
import { findNearest } from "../nearest.ts";
import type { Credential } from "./credential.ts";

export type AuthRecipes = Awaited<ReturnType<TenantExecutor["listAuthRecipes"]>>["auth_recipes"];
type Field = AuthRecipes[number]["fields"][number];

/** Lists what is wrong with a credential for its auth recipe, one line each, without any of its values. */
export function listProblems({ name, authRecipe, fields }: Credential, recipes: AuthRecipes): string[] {
	const recipe = recipes.find(({ id }) => id === authRecipe);
	if (recipe === undefined) return [`${name}: ${describeUnknownRecipe(authRecipe, recipes)}`];
	const unknown = [...fields.keys()].filter((field) => !recipe.fields.some((each) => each.name === field));
	const missing = recipe.fields.filter((field) => field.optional !== true && !fields.has(field.name));
	return [
		...unknown.map((field) => `${name}: ${describeUnknownField(field, recipe, missing)}`),
		...missing
			.filter((field) => !unknown.some((given) => findNearest(given, [field.name]) !== null))
			.map((field) => `${name}: the field ${field.name} is missing: ${field.help}`),
	];
}

export function describeUnknownRecipe(id: string, recipes: AuthRecipes): string {
	const near = findNearest(
		id,
		recipes.map((recipe) => recipe.id),
	);
	const meant = near === null ? "" : `, did you mean ${near}?`;
	return `there is no auth recipe ${JSON.stringify(id)}${meant}`;
}

function describeUnknownField(given: string, recipe: AuthRecipes[number], missing: readonly Field[]): string {
	// A secret may be in the place of the name, so only text that looks like a name is repeated.
	const shown = /^[A-Za-z_-]{1,32}$/.test(given) ? ` ${given}` : " of that name";
	const near = findNearest(given.toLowerCase(), [
		...missing.map(({ name }) => name),
		...recipe.fields.map(({ name }) => name),
	]);
	const known = recipe.fields.map(({ name }) => name).join(", ");
	return `${recipe.id} has no field${shown}, ${near === null ? `only ${known}` : `did you mean ${near}?`}`;
}
