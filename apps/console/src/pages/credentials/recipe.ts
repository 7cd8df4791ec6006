import type { AuthRecipe } from "../../api/types.ts";
import { hasWords } from "../../ui/has-words.ts";

type RecipeField = AuthRecipe["fields"][number];

/** Auth recipe of signed webhooks. Its secret is chosen by the owner. */
export const SIGNING = "signing_secret";

/** Finds recipes whose title, ID or hosts contain all words. */
export function findRecipes(recipes: readonly AuthRecipe[], q: string): readonly AuthRecipe[] {
	return recipes.filter(({ title, id, hosts }) => hasWords([title, id, ...hosts].join(" "), q));
}

/**
 * The hosts of a recipe. A host entered as a field of the credential is never returned by the service, so `own` stands
 * for it.
 */
export function listHosts(recipe: AuthRecipe | undefined, own: string): readonly string[] {
	const hosts = (recipe?.hosts ?? []).map((host) => (host.startsWith("{") ? own : host));
	return [...new Set(hosts)];
}

/** Multi-line keys, which a single-line input would break. */
export const isLong = ({ name, help, secret }: RecipeField): boolean =>
	secret && (/private_key|certificate|pem$/.test(name) || /\bBEGIN\b/.test(help));

/** Suggests a free name for a new credential: "github_token" → "github". */
export function suggestName(recipe: AuthRecipe, taken: readonly string[]): string {
	const base = recipe.id.replace(/_(?:token|key|keys|bot|account|secret|oauth)$/, "");
	for (let count = 1; ; count++) {
		const name = count === 1 ? base : `${base}_${count}`;
		if (!taken.includes(name)) return name;
	}
}

/** Makes a label of a field name: "api_token" → "Api token". */
export const toLabel = (name: string): string => {
	const words = name.replaceAll("_", " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
};
