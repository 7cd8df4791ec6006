import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";

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
	storage.put(SYSTEM_OWNER, "api_recipe", PAGE, seeded);

export const parseSeededRecipes = (text: string | null): SeededRecipes =>
	text === null ? { recipes: [], auth_recipes: [] } : (JSON.parse(text) as SeededRecipes);

export const readFingerprint = (text: string | null): string | null =>
	/^\{"fingerprint":"([^"\\]+)"/.exec(text ?? "")?.[1] ?? null;
