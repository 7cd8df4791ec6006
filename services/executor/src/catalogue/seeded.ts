import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import { LazyMap } from "./lazy-map.ts";

export interface SeededRecipes {
	/** Identifies the bundled recipes that were last compared with these; first, so that it can be read without parsing. */
	readonly fingerprint?: string | undefined;
	readonly recipes: readonly ApiRecipe[];
	readonly auth_recipes: readonly AuthRecipe[];
}

const PAGE = "seeded";

/**
 * The stored seeded recipes. All are in one entry, because on Workers a request may make fewer calls through bindings
 * than there are recipes.
 */
export const readSeededText = (storage: OwnedComponentStorage): Promise<string | null> =>
	storage.text(SYSTEM_OWNER, "api_recipe", PAGE);

export const writeSeeded = (storage: OwnedComponentStorage, seeded: SeededRecipes): Promise<boolean> =>
	storage.putText(SYSTEM_OWNER, "api_recipe", PAGE, formatSeeded(seeded));

export const parseSeededRecipes = (text: string | null): SeededRecipes =>
	text === null ? { recipes: [], auth_recipes: [] } : (JSON.parse(text) as SeededRecipes);

export const readFingerprint = (text: string | null): string | null =>
	/^\{"fingerprint":"([^"\\]+)"/.exec(text ?? "")?.[1] ?? null;

interface SeededById {
	readonly apiRecipes: ReadonlyMap<string, ApiRecipe>;
	readonly authRecipes: ReadonlyMap<string, AuthRecipe>;
}

/** The recipes by id, each parsed when it is first read: most tenants use few of them. */
export function indexSeededRecipes(text: string | null): SeededById {
	const lines = splitLines(text ?? "");
	if (lines !== null)
		return { apiRecipes: new LazyMap(lines.recipes), authRecipes: new LazyMap(lines.auth_recipes) };
	const { recipes, auth_recipes } = parseSeededRecipes(text);
	return { apiRecipes: indexById(recipes), authRecipes: indexById(auth_recipes) };
}

const AUTH = '],"auth_recipes":[';

/** JSON with one recipe per line. */
function formatSeeded({ fingerprint, recipes, auth_recipes }: SeededRecipes): string {
	const first = fingerprint === undefined ? "" : `"fingerprint":${JSON.stringify(fingerprint)},`;
	return `{${first}"recipes":[${formatLines(recipes)}${AUTH}${formatLines(auth_recipes)}]}`;
}

const formatLines = (recipes: readonly (ApiRecipe | AuthRecipe)[]): string =>
	recipes.map(({ id, ...rest }) => `\n${JSON.stringify({ id, ...rest })}`).join(",");

/** The text of each recipe by id, or null if it was not written by `formatSeeded`, as by earlier versions. */
function splitLines(text: string) {
	const [first = "", ...lines] = text.split("\n");
	if (lines.length === 0 || !first.endsWith('"recipes":[') || !text.endsWith("]}")) return null;
	const texts = { recipes: new Map<string, string>(), auth_recipes: new Map<string, string>() };
	let kind: keyof typeof texts = "recipes";
	for (const [index, line] of lines.entries()) {
		const id = /^\{"id":"([^"\\]+)"/.exec(line)?.[1];
		if (id === undefined) return null;
		const end = line.endsWith(AUTH) ? AUTH : index === lines.length - 1 ? "]}" : ",";
		texts[kind].set(id, line.slice(0, -end.length));
		if (end === AUTH) kind = "auth_recipes";
	}
	return texts;
}

const indexById = <Recipe extends { readonly id: string }>(recipes: readonly Recipe[]): Map<string, Recipe> =>
	new Map(recipes.map((recipe) => [recipe.id, recipe]));
