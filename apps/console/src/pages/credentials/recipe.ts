import type { AuthRecipe } from "../../api/types.ts";

type RecipeField = AuthRecipe["fields"][number];

/** The recipe of signed webhooks: its secret is the owner's to make up. */
export const SIGNING = "signing_secret";

/** By words of the title, the id and the hosts; all of them must be there. */
export function recipesFound(recipes: readonly AuthRecipe[], q: string): readonly AuthRecipe[] {
	const words = q.toLowerCase().split(/\s+/).filter(Boolean);
	return recipes.filter(({ title, id, hosts }) => {
		const text = [title, id, ...hosts].join(" ").toLowerCase();
		return words.every((word) => text.includes(word));
	});
}

/** A host that is a field of the credential is known to nobody but the service. */
export function hostsOf(recipe: AuthRecipe | undefined, own: string): readonly string[] {
	const hosts = (recipe?.hosts ?? []).map((host) => (host.startsWith("{") ? own : host));
	return [...new Set(hosts)];
}

/** Keys of several lines, which an input of one line would break. */
export const isLong = ({ name, help, secret }: RecipeField): boolean =>
	secret && (/private_key|certificate|pem$/.test(name) || /\bBEGIN\b/.test(help));

/** "github_token" → "github": what a workflow will call it, unless that is taken. */
export function suggestedName(recipe: AuthRecipe, taken: readonly string[]): string {
	const base = recipe.id.replace(/_(?:token|key|keys|bot|account|secret)$/, "");
	for (let count = 1; ; count++) {
		const name = count === 1 ? base : `${base}_${count}`;
		if (!taken.includes(name)) return name;
	}
}

/** "api_token" → "Api token": recipes name their fields for programs. */
export const labelOf = (name: string): string => {
	const words = name.replaceAll("_", " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
};
