import type { RecipeItem } from "../../api/types.ts";
import { hasWords } from "../../ui/has-words.ts";

/** A choice of the list: all recipes, the tenant's own, or those of a category. */
export type Group = "all" | "own" | NonNullable<RecipeItem["category"]>;

/** Those that have recipes. */
export function listGroups(recipes: readonly RecipeItem[]): readonly Group[] {
	const categories = new Set(recipes.flatMap(({ category }) => (category === null ? [] : [category])));
	const hasOwn = recipes.some(({ source }) => source === "own");
	return ["all", ...(hasOwn ? (["own"] as const) : []), ...[...categories].sort()];
}

export const filterRecipes = (
	recipes: readonly RecipeItem[],
	{ q, group }: { readonly q: string; readonly group: Group },
): readonly RecipeItem[] =>
	recipes.filter(
		({ id, title, description, operations, source, category }) =>
			(group === "all" || (group === "own" ? source === "own" : category === group)) &&
			hasWords([id, title, description, ...operations].join(" "), q),
	);
